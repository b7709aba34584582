CREATE TABLE "api_key" (
    "id" UUID NOT NULL,
    "prefix" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "owner" TEXT NOT NULL,
    "email" TEXT,
    "limit" TEXT,
    "origin" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "key_request" (
    "token_hash" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "key_request_pkey" PRIMARY KEY ("token_hash")
);

CREATE TABLE "setting" (
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "setting_pkey" PRIMARY KEY ("name")
);

-- Rate limits that several processes share. Not logged: they cost no write to the disk, and begin anew after a crash.
CREATE UNLOGGED TABLE "rate_window" (
    "bucket" UUID NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "taken" INTEGER NOT NULL,

    CONSTRAINT "rate_window_pkey" PRIMARY KEY ("bucket")
);

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
    "request_bytes" INTEGER,
    "result_file" TEXT,
    "result_bytes" INTEGER,
    "result_hash" TEXT,
    "converted" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "converted_bytes" BIGINT NOT NULL DEFAULT 0,
    "token" INTEGER NOT NULL DEFAULT 0,
    "pieces" INTEGER[] NOT NULL DEFAULT ARRAY[]::INTEGER[],
    "piece_bytes" BIGINT NOT NULL DEFAULT 0,
    "done" INTEGER NOT NULL DEFAULT 0,
    "computed_ms" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "interruptions" INTEGER NOT NULL DEFAULT 0,
    "alone" BOOLEAN NOT NULL DEFAULT false,
    "served_at" TIMESTAMPTZ(3),
    "rank" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(3),
    "available_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "task_pkey" PRIMARY KEY ("id")
);

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

CREATE TABLE "idempotency_key" (
    "owner" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "task_id" UUID NOT NULL,
    "answer_file" TEXT,
    "answer_bytes" BIGINT,
    "converted" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "converted_bytes" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("owner","key")
);

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

CREATE TABLE "storm_snapshot" (
    "provider" TEXT NOT NULL,
    "synthetic" BOOLEAN NOT NULL,
    "storms" TEXT NOT NULL,
    "areas" TEXT,
    "refreshed_at" TIMESTAMPTZ(3) NOT NULL,
    "revision" INTEGER NOT NULL,
    "feed" TEXT,
    "origin" TEXT,

    CONSTRAINT "storm_snapshot_pkey" PRIMARY KEY ("provider","synthetic")
);

CREATE TABLE "storm_history" (
    "provider" TEXT NOT NULL,
    "synthetic" BOOLEAN NOT NULL,
    "storm" TEXT NOT NULL,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "entry" TEXT NOT NULL,

    CONSTRAINT "storm_history_pkey" PRIMARY KEY ("provider","synthetic","storm","issued_at")
);

CREATE TABLE "feed_state" (
    "name" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "newest_run" TIMESTAMPTZ(3),
    "steps" INTEGER NOT NULL DEFAULT 0,
    "steps_expected" INTEGER NOT NULL DEFAULT 0,
    "valid_until" TIMESTAMPTZ(3),
    "next_expected" TIMESTAMPTZ(3),
    "last_success" TIMESTAMPTZ(3),
    "error" TEXT,
    "error_at" TIMESTAMPTZ(3),
    "mirror" TEXT,
    "bytes_today" BIGINT NOT NULL DEFAULT 0,
    "bytes_total" BIGINT NOT NULL DEFAULT 0,
    "spent_on" DATE,
    "quarantined" INTEGER NOT NULL DEFAULT 0,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "feed_state_pkey" PRIMARY KEY ("name")
);

-- Runs of an archive in a bucket: what is published, what is being written, and what is to be deleted.
CREATE TABLE "archive_run" (
    "path" TEXT NOT NULL,
    "run_id" TEXT NOT NULL,
    "dataset" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "reference_time" TIMESTAMPTZ(3) NOT NULL,
    "description" TEXT,
    "bytes" BIGINT,
    "touched_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "published_at" TIMESTAMPTZ(3),
    "replaced_at" TIMESTAMPTZ(3),
    "revision" BIGINT,

    CONSTRAINT "archive_run_pkey" PRIMARY KEY ("path")
);

-- Scripts and styles of the builds that run or ran lately, for pages of another build than the replica that is asked. Not
-- logged: every start writes what is missing.
CREATE UNLOGGED TABLE "page_file" (
    "path" TEXT NOT NULL,
    "content" BYTEA NOT NULL,
    "compressed" BOOLEAN NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "page_file_pkey" PRIMARY KEY ("path")
);

CREATE TABLE "watch" (
    "id" UUID NOT NULL,
    "owner" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "question" JSONB NOT NULL,
    "language" TEXT NOT NULL,
    "channels" UUID[] NOT NULL DEFAULT ARRAY[]::UUID[],
    "only_named" BOOLEAN NOT NULL DEFAULT false,
    "paused" BOOLEAN NOT NULL DEFAULT false,
    "firing" BOOLEAN NOT NULL DEFAULT false,
    "version" INTEGER NOT NULL DEFAULT 1,
    "edition" JSONB,
    "world" TEXT,
    "found" JSONB,
    "evaluated_at" TIMESTAMPTZ(3),
    "error" TEXT,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "available_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "watch_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "alert" (
    "id" UUID NOT NULL,
    "owner" TEXT NOT NULL,
    "watch_id" UUID,
    "kind" TEXT NOT NULL,
    "edition" TEXT,
    "payload" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "read_at" TIMESTAMPTZ(3),

    CONSTRAINT "alert_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "alert_channel" (
    "id" UUID NOT NULL,
    "owner" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "secret" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "verified_at" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "failing_at" TIMESTAMPTZ(3),
    "error" TEXT,
    "error_code" TEXT,
    "host" TEXT NOT NULL DEFAULT '',
    "old_secret" TEXT,
    "old_secret_until" TIMESTAMPTZ(3),

    CONSTRAINT "alert_channel_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "alert_calendar" (
    "owner" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "alert_calendar_pkey" PRIMARY KEY ("owner")
);

CREATE TABLE "alert_delivery" (
    "id" UUID NOT NULL,
    "alert_id" UUID NOT NULL,
    "channel_id" UUID NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'PENDING',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "available_at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),
    "error" TEXT,

    CONSTRAINT "alert_delivery_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "api_key_prefix_key" ON "api_key"("prefix");
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");
CREATE INDEX "api_key_owner_idx" ON "api_key"("owner");
CREATE INDEX "key_request_email_created_at_idx" ON "key_request"("email", "created_at");
CREATE INDEX "rate_window_ends_at_idx" ON "rate_window"("ends_at");
CREATE INDEX "task_owner_created_at_id_idx" ON "task"("owner", "created_at", "id");
CREATE INDEX "task_status_owner_created_at_id_idx" ON "task"("status", "owner", "created_at", "id");
CREATE INDEX "task_owner_started_at_idx" ON "task"("owner", "started_at");
CREATE INDEX "task_status_owner_rank_id_idx" ON "task"("status", "owner", "rank", "id");
CREATE INDEX "task_owner_served_at_idx" ON "task"("owner", "served_at");
CREATE INDEX "task_expires_at_idx" ON "task"("expires_at");
CREATE INDEX "task_finished_at_idx" ON "task"("finished_at");
CREATE UNIQUE INDEX "outbox_task_id_key" ON "outbox"("task_id");
CREATE INDEX "outbox_sent_at_available_at_idx" ON "outbox"("sent_at", "available_at");
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");
CREATE INDEX "idempotency_key_task_id_idx" ON "idempotency_key"("task_id");
CREATE UNIQUE INDEX "storm_text_provider_synthetic_source_hash_key" ON "storm_text"("provider", "synthetic", "source", "hash");
CREATE INDEX "page_file_used_at_idx" ON "page_file"("used_at");
CREATE INDEX "watch_owner_created_at_id_idx" ON "watch"("owner", "created_at", "id");
CREATE INDEX "watch_expires_at_idx" ON "watch"("expires_at");
CREATE INDEX "alert_owner_created_at_id_idx" ON "alert"("owner", "created_at", "id");
CREATE INDEX "alert_created_at_idx" ON "alert"("created_at");
CREATE UNIQUE INDEX "alert_watch_id_edition_key" ON "alert"("watch_id", "edition");
CREATE INDEX "alert_channel_owner_created_at_id_idx" ON "alert_channel"("owner", "created_at", "id");
CREATE UNIQUE INDEX "alert_channel_owner_kind_target_key" ON "alert_channel"("owner", "kind", "target");
CREATE UNIQUE INDEX "alert_calendar_token_hash_key" ON "alert_calendar"("token_hash");
CREATE INDEX "alert_delivery_state_available_at_idx" ON "alert_delivery"("state", "available_at");
CREATE INDEX "alert_delivery_channel_id_idx" ON "alert_delivery"("channel_id");
CREATE UNIQUE INDEX "alert_delivery_alert_id_channel_id_key" ON "alert_delivery"("alert_id", "channel_id");

-- What is looked for among very many rows. The expressions say nothing new: schema.prisma has no partial indexes, and leaves
-- those with expressions alone.
CREATE INDEX "task_stored_expires_at_idx" ON "task"("expires_at", ("result_file" IS NULL))
  WHERE "request_file" IS NOT NULL OR "result_file" IS NOT NULL;

CREATE INDEX "task_claimed_owner_idx" ON "task"("owner", ("lease_until" IS NULL))
  WHERE "status" = 'PENDING' AND "lease_until" IS NOT NULL;

-- The sums of what is stored read these indexes only.
CREATE INDEX "task_stored_owner_idx" ON "task"("owner", ("result_file" IS NULL))
  INCLUDE ("status", "request_bytes", "piece_bytes", "result_bytes", "converted_bytes")
  WHERE "request_file" IS NOT NULL OR "result_file" IS NOT NULL;

CREATE INDEX "idempotency_key_stored_owner_idx" ON "idempotency_key"("owner", ("answer_file" IS NULL))
  INCLUDE ("answer_bytes", "converted_bytes") WHERE "answer_file" IS NOT NULL;

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

-- Wakes what evaluates watches: one is new or changed, or was looked at too early.
CREATE FUNCTION "notify_watch"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('metocean_watch', '');
  RETURN NULL;
END $$;

CREATE TRIGGER "watch_due" AFTER INSERT OR UPDATE ON "watch" FOR EACH ROW
WHEN (NEW."world" IS NULL AND NOT NEW."paused") EXECUTE FUNCTION "notify_watch"();

-- Wakes what delivers.
CREATE FUNCTION "notify_delivery"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('metocean_delivery', '');
  RETURN NULL;
END $$;

CREATE TRIGGER "delivery_due" AFTER INSERT ON "alert_delivery" FOR EACH STATEMENT EXECUTE FUNCTION "notify_delivery"();
