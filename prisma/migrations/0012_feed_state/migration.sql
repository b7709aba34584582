-- CreateTable
CREATE TABLE "feed_state" (
    "name" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "newest_run" TIMESTAMPTZ(3),
    "steps" INTEGER NOT NULL DEFAULT 0,
    "steps_expected" INTEGER NOT NULL DEFAULT 0,
    "valid_until" TIMESTAMPTZ(3),
    "next_expected" TIMESTAMPTZ(3),
    "last_success" TIMESTAMPTZ(3),
    "error" TEXT,
    "error_at" TIMESTAMPTZ(3),
    "mirror" TEXT,
    "bytes_today" BIGINT NOT NULL DEFAULT 0,
    "bytes_total" BIGINT NOT NULL DEFAULT 0,
    "spent_on" DATE,
    "quarantined" INTEGER NOT NULL DEFAULT 0,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "feed_state_pkey" PRIMARY KEY ("name")
);
