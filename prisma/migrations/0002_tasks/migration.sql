-- CreateTable
CREATE TABLE "task" (
    "id" UUID NOT NULL,
    "owner" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT,
    "status" TEXT NOT NULL,
    "error" TEXT,
    "size" INTEGER NOT NULL,
    "progress" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),
    "expires_at" TIMESTAMPTZ(3),
    "weather_now" TIMESTAMPTZ(0) NOT NULL,
    "synthetic" BOOLEAN NOT NULL DEFAULT false,
    "receive_mail" BOOLEAN NOT NULL DEFAULT false,
    "mail_to" TEXT,
    "request_file" TEXT,
    "result_file" TEXT,
    "result_bytes" INTEGER,
    "result_hash" TEXT,
    "token" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(3),
    "available_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "task_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "outbox" (
    "id" UUID NOT NULL,
    "task_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "available_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "sent_at" TIMESTAMPTZ(3),
    "error" TEXT,

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "owner" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "task_id" UUID NOT NULL,
    "answer_file" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("owner","key")
);

-- CreateIndex
CREATE INDEX "task_owner_created_at_id_idx" ON "task"("owner", "created_at", "id");

-- CreateIndex
CREATE INDEX "task_status_owner_created_at_id_idx" ON "task"("status", "owner", "created_at", "id");

-- CreateIndex
CREATE INDEX "task_owner_started_at_idx" ON "task"("owner", "started_at");

-- CreateIndex
CREATE INDEX "task_expires_at_idx" ON "task"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "outbox_task_id_key" ON "outbox"("task_id");

-- CreateIndex
CREATE INDEX "outbox_sent_at_available_at_idx" ON "outbox"("sent_at", "available_at");

-- CreateIndex
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");
