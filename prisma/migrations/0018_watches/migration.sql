-- Watches: saved questions about the weather, what they found, and where it is sent.
-- CreateTable
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

    CONSTRAINT "watch_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "watch_lease" (
    "name" TEXT NOT NULL,
    "holder" UUID NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "watch_lease_pkey" PRIMARY KEY ("name")
);

-- CreateTable
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

-- CreateTable
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

    CONSTRAINT "alert_channel_pkey" PRIMARY KEY ("id")
);

-- CreateTable
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

-- CreateIndex
CREATE INDEX "watch_owner_created_at_id_idx" ON "watch"("owner", "created_at", "id");

-- CreateIndex
CREATE INDEX "watch_expires_at_idx" ON "watch"("expires_at");

-- CreateIndex
CREATE INDEX "alert_owner_created_at_id_idx" ON "alert"("owner", "created_at", "id");

-- CreateIndex
CREATE INDEX "alert_created_at_idx" ON "alert"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "alert_watch_id_edition_key" ON "alert"("watch_id", "edition");

-- CreateIndex
CREATE INDEX "alert_channel_owner_created_at_id_idx" ON "alert_channel"("owner", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "alert_channel_owner_kind_target_key" ON "alert_channel"("owner", "kind", "target");

-- CreateIndex
CREATE INDEX "alert_delivery_state_available_at_idx" ON "alert_delivery"("state", "available_at");

-- CreateIndex
CREATE INDEX "alert_delivery_channel_id_idx" ON "alert_delivery"("channel_id");

-- CreateIndex
CREATE UNIQUE INDEX "alert_delivery_alert_id_channel_id_key" ON "alert_delivery"("alert_id", "channel_id");

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
