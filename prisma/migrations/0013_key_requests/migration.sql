-- Keys that people ask for by e-mail, and how each key was made.
ALTER TABLE "api_key" ADD COLUMN     "origin" TEXT;

-- CreateTable
CREATE TABLE "key_request" (
    "token_hash" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "key_request_pkey" PRIMARY KEY ("token_hash")
);

-- CreateIndex
CREATE INDEX "key_request_email_created_at_idx" ON "key_request"("email", "created_at");
