-- Rate limits that several processes share. Not logged: they cost no write to the disk, and begin anew after a crash.
-- CreateTable
CREATE UNLOGGED TABLE "rate_window" (
    "bucket" UUID NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "quota" INTEGER NOT NULL,
    "taken" INTEGER NOT NULL,
    "granted" INTEGER NOT NULL,

    CONSTRAINT "rate_window_pkey" PRIMARY KEY ("bucket")
);

-- CreateTable
CREATE UNLOGGED TABLE "rate_process" (
    "id" UUID NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rate_process_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "rate_window_ends_at_idx" ON "rate_window"("ends_at");
