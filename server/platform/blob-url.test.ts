import { expect, it } from "vitest";
import { archiveUrl, blobUrl, describePlace, withAwsVariables } from "./blob-url.ts";

it.each([
  ["s3://metocean", { kind: "s3", bucket: "metocean", prefix: "" }, "s3://metocean"],
  ["s3://my.bucket-1/a/b", { kind: "s3", bucket: "my.bucket-1", prefix: "a/b/" }, "s3://my.bucket-1/a/b"],
  ["file:///srv/metocean/tasks", { kind: "folder", folder: "/srv/metocean/tasks" }, "/srv/metocean/tasks"],
])("reads %s", (text, place, words) => {
  expect(blobUrl.parse(text)).toEqual(place);
  expect(describePlace(blobUrl.parse(text))).toBe(words);
});

it.each([
  "metocean",
  "s3://",
  "s3://Ab",
  "s3://metocean/../other",
  "s3://metocean/a?region=x",
  "s3://user@metocean/a",
  "file://host/folder",
  "file:///",
  "file:///a%2Fb",
  "file:///a%00b",
  "s3://:secret@metocean/a",
])("refuses %s, and says what forms there are", (text) => {
  expect(blobUrl.safeParse(text).error?.issues).toEqual([
    expect.objectContaining({ message: "s3://bucket/prefix, or file:///folder" }),
  ]);
});

it.each([
  [{}, { region: undefined, isPathStyle: false }],
  [
    { AWS_DEFAULT_REGION: "eu-west-1", AWS_ENDPOINT_URL: "https://s3.example" },
    { region: "eu-west-1", isPathStyle: true },
  ],
  [
    { AWS_REGION: "eu-west-3", AWS_DEFAULT_REGION: "eu-west-1", AWS_ENDPOINT_URL_S3: "https://s3.example" },
    { region: "eu-west-3", isPathStyle: true },
  ],
])("takes region and kind of endpoint of a bucket from %o", (variables, expected) => {
  const place = { kind: "s3", bucket: "metocean", prefix: "" } as const;
  expect(withAwsVariables(place, variables)).toEqual({ ...place, ...expected });
});

it.each([
  ["s3://metocean/a", { kind: "s3", bucket: "metocean", prefix: "a/" }, "s3://metocean/a"],
  ["https://host/path/", { kind: "https", url: "https://host/path" }, "https://host/path"],
  ["http://host:81", { kind: "https", url: "http://host:81" }, "http://host:81"],
  ["https://host/#", { kind: "https", url: "https://host" }, "https://host"],
])("an archive may be %s", (text, place, words) => {
  expect(archiveUrl.parse(text)).toEqual(place);
  expect(describePlace(archiveUrl.parse(text))).toBe(words);
});

it.each([
  "https://user:secret@host/a",
  "https://host/a?token=x",
  "https://host/a#b",
  "ftp://host/a",
  "host/a",
])("an archive is not %s", (text) => {
  expect(archiveUrl.safeParse(text).error?.issues).toEqual([
    expect.objectContaining({ message: "file:///folder, s3://bucket/prefix, or https://host/path" }),
  ]);
});
