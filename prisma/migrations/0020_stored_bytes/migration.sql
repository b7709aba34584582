-- What the blobs of a task or kept answer take, beside the names of the blobs: quotas are sums of rows. Sizes of before, and
-- those that replicas of the version before write, are unknown until the next look through the store fills them in.
-- AlterTable
ALTER TABLE "task"
  ADD COLUMN "request_bytes" INTEGER,
  ADD COLUMN "piece_bytes" BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN "converted" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN "converted_bytes" BIGINT NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "idempotency_key"
  ADD COLUMN "answer_bytes" BIGINT,
  ADD COLUMN "converted" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
  ADD COLUMN "converted_bytes" BIGINT NOT NULL DEFAULT 0;

-- The sums read these indexes only. As in 0017, the expressions say nothing new.
CREATE INDEX "task_stored_owner_idx" ON "task"("owner", ("result_file" IS NULL))
  INCLUDE ("status", "request_bytes", "piece_bytes", "result_bytes", "converted_bytes")
  WHERE "request_file" IS NOT NULL OR "result_file" IS NOT NULL;

CREATE INDEX "idempotency_key_stored_owner_idx" ON "idempotency_key"("owner", ("answer_file" IS NULL))
  INCLUDE ("answer_bytes", "converted_bytes") WHERE "answer_file" IS NOT NULL;
