-- Runs of an archive in a bucket: what is published, what is being written, and what is to be deleted.

-- CreateTable
CREATE TABLE "archive_run" (
    "path" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "dataset" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "reference_time" TIMESTAMPTZ(3) NOT NULL,
    "description" TEXT,
    "bytes" BIGINT,
    "touched_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "published_at" TIMESTAMPTZ(3),
    "replaced_at" TIMESTAMPTZ(3),
    "revision" BIGINT,

    CONSTRAINT "archive_run_pkey" PRIMARY KEY ("path")
);
