-- AlterTable
ALTER TABLE "storm_snapshot" ADD COLUMN     "feed" TEXT;
