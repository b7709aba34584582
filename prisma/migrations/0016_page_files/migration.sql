-- Scripts and styles of the builds that run or ran lately, for pages of another build than the replica that is asked. Not
-- logged: every start writes what is missing.
-- CreateTable
CREATE UNLOGGED TABLE "page_file" (
    "path" TEXT NOT NULL,
    "content" BYTEA NOT NULL,
    "compressed" BOOLEAN NOT NULL,
    "used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "page_file_pkey" PRIMARY KEY ("path")
);

-- CreateIndex
CREATE INDEX "page_file_used_at_idx" ON "page_file"("used_at");
