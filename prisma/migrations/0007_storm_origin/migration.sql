-- AlterTable
ALTER TABLE "storm_snapshot" ADD COLUMN     "origin" TEXT;
