-- The worker that has claimed a task. It holds an advisory lock of this number as long as its session lives.
ALTER TABLE "task" ADD COLUMN "worker" INTEGER;
