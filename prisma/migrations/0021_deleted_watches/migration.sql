-- A deleted watch is kept for an hour, so that its owner can take the deletion back. Replicas of the version before evaluate and
-- list it meanwhile.
-- AlterTable
ALTER TABLE "watch" ADD COLUMN "deleted_at" TIMESTAMPTZ(3);
