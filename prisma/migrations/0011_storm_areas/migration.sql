-- AlterTable
ALTER TABLE "storm_snapshot" ADD COLUMN     "areas" TEXT;
