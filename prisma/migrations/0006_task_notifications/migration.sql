-- Tells the processes that serve event streams which task changed in a way that its owner can see. Progress counts in
-- steps of a hundredth, so that a task causes at most about a hundred notifications, however often its row is written.
CREATE FUNCTION "notify_task"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('metocean_task', OLD."id"::text);
  RETURN NULL;
END $$;

CREATE TRIGGER "task_changed" AFTER UPDATE ON "task" FOR EACH ROW
WHEN (
  OLD."status" IS DISTINCT FROM NEW."status"
  OR OLD."started_at" IS DISTINCT FROM NEW."started_at"
  OR floor(100 * OLD."progress") IS DISTINCT FROM floor(100 * NEW."progress")
)
EXECUTE FUNCTION "notify_task"();

CREATE TRIGGER "task_removed" AFTER DELETE ON "task" FOR EACH ROW EXECUTE FUNCTION "notify_task"();
