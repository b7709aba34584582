CREATE TABLE "mail_request" (
    "id" UUID NOT NULL,
    "sender" TEXT NOT NULL,
    "reply" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "available_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "ended_at" TIMESTAMPTZ(3),
    "error" TEXT,

    CONSTRAINT "mail_request_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "mail_request_sender_created_at_idx" ON "mail_request"("sender", "created_at");
CREATE INDEX "mail_request_created_at_idx" ON "mail_request"("created_at");
