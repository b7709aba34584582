-- What is looked for among very many rows that have ended: results and rows that are due. What is looked for among very
-- many that wait: those that run. The expressions say nothing new: schema.prisma has no partial indexes, and leaves those
-- with expressions alone.
CREATE INDEX "task_stored_expires_at_idx" ON "task"("expires_at", ("result_file" IS NULL))
  WHERE "request_file" IS NOT NULL OR "result_file" IS NOT NULL;

-- CreateIndex
CREATE INDEX "task_finished_at_idx" ON "task"("finished_at");

CREATE INDEX "task_claimed_owner_idx" ON "task"("owner", ("lease_until" IS NULL))
  WHERE "status" = 'PENDING' AND "lease_until" IS NOT NULL;

-- CreateIndex
CREATE INDEX "idempotency_key_task_id_idx" ON "idempotency_key"("task_id");
