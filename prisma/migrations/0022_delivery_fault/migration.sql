-- Why the last delivery of a channel failed, as a code of the contract. Replicas of the version before leave it as it is.
-- AlterTable
ALTER TABLE "alert_channel" ADD COLUMN "error_code" TEXT;
