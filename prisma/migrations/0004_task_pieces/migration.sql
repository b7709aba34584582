-- AlterTable
ALTER TABLE "task"
  ADD COLUMN "pieces" INTEGER[] NOT NULL DEFAULT ARRAY[]::INTEGER[],
  ADD COLUMN "done" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "computed_ms" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "interruptions" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "alone" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "served_at" TIMESTAMPTZ(3),
  ADD COLUMN "rank" DOUBLE PRECISION NOT NULL DEFAULT 0;

-- Pending tasks of before keep their order.
UPDATE "task" SET "served_at" = "started_at", "rank" = 100000 * extract(epoch FROM "created_at") WHERE "status" = 'PENDING';

-- CreateIndex
CREATE INDEX "task_status_owner_rank_id_idx" ON "task"("status", "owner", "rank", "id");

-- CreateIndex
CREATE INDEX "task_owner_served_at_idx" ON "task"("owner", "served_at");
