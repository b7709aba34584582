// Makes a bucket in the store of AWS_ENDPOINT_URL_S3 unless it exists: node deploy/make-bucket.mjs <name>
import { CreateBucketCommand, HeadBucketCommand, S3Client } from "@aws-sdk/client-s3";

const [name] = process.argv.slice(2);
if (!name) throw new Error("Which bucket?");
const client = new S3Client({ forcePathStyle: true });
try {
  await client.send(new HeadBucketCommand({ Bucket: name }));
} catch (error) {
  if (error.$metadata?.httpStatusCode !== 404) throw error;
  await client.send(new CreateBucketCommand({ Bucket: name }));
}
