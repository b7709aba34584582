-- What delivers alerts: hosts that it is bounded by, secrets that replace each other, secret addresses of calendars.
ALTER TABLE "alert_channel" ADD COLUMN     "host" TEXT NOT NULL DEFAULT '',
ADD COLUMN     "old_secret" TEXT,
ADD COLUMN     "old_secret_until" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "alert_calendar" (
    "owner" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "alert_calendar_pkey" PRIMARY KEY ("owner")
);

-- CreateIndex
CREATE UNIQUE INDEX "alert_calendar_token_hash_key" ON "alert_calendar"("token_hash");
