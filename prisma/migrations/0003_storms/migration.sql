-- CreateTable
CREATE TABLE "storm_text" (
    "id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "synthetic" BOOLEAN NOT NULL,
    "source" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "storm_text_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "storm_snapshot" (
    "provider" TEXT NOT NULL,
    "synthetic" BOOLEAN NOT NULL,
    "storms" TEXT NOT NULL,
    "refreshed_at" TIMESTAMPTZ(3) NOT NULL,
    "revision" INTEGER NOT NULL,

    CONSTRAINT "storm_snapshot_pkey" PRIMARY KEY ("provider","synthetic")
);

-- CreateTable
CREATE TABLE "storm_history" (
    "provider" TEXT NOT NULL,
    "synthetic" BOOLEAN NOT NULL,
    "storm" TEXT NOT NULL,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "entry" TEXT NOT NULL,

    CONSTRAINT "storm_history_pkey" PRIMARY KEY ("provider","synthetic","storm","issued_at")
);

-- CreateIndex
CREATE UNIQUE INDEX "storm_text_provider_synthetic_source_hash_key" ON "storm_text"("provider", "synthetic", "source", "hash");
