import { afterAll, beforeAll, expect, test } from "vitest";
import { parseS3Location, S3ObjectStore } from "../../../src/service/storage/s3-object-store.ts";
import { describeObjectStore } from "../../suites/object-store.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { type S3Server, startS3 } from "../s3-server.ts";

let server: S3Server;
let folder = "";
let store: S3ObjectStore;
beforeAll(async () => {
  server = await startS3();
  folder = await temporaryFolder();
  store = new S3ObjectStore(parseS3Location(server.storage), { uploadSeconds: 60, resultSeconds: 60 }, folder);
});
afterAll(async () => {
  await server.close();
});

// s3rver takes signatures of version 4 unchecked, so what they cover is read off the links themselves.
const checksSignatures = false;

describeObjectStore("S3", async () => ({
  store,
  prefix: "suite",
  checksSignatures,
  follow: (url, init) => fetch(url, init),
}));

test("an upload link takes the bytes with its content type and nothing but that header", async () => {
  const { url, resumableUrl } = await store.uploadLink("upload/source.mp4", "video/mp4");
  expect(resumableUrl).toBeUndefined();
  const reply = await fetch(url, { method: "PUT", headers: { "Content-Type": "video/mp4" }, body: "bytes" });
  expect(reply.status).toBe(200);
  expect(await store.stat("upload/source.mp4")).toMatchObject({ sizeBytes: 5 });
  const query = new URL(url).searchParams;
  expect(query.get("X-Amz-SignedHeaders")).toBe("content-type;host");
  expect(query.get("X-Amz-Expires")).toBe("60");
  expect([...query.keys()].filter((name) => /checksum/i.test(name))).toEqual([]);
});

test("a bucket that cannot be used is said to be so at the start", async () => {
  const missing = server.storage.replace("s3://aside", "s3://nowhere");
  const wrong = new S3ObjectStore(parseS3Location(missing), { uploadSeconds: 60, resultSeconds: 60 }, folder);
  await expect(wrong.check()).rejects.toMatchObject({ code: "configuration_invalid" });
  await store.check();
});

test("reads the address of a store", () => {
  expect(
    parseS3Location("s3://media/a/b/?endpoint=https://s3.example&region=eu-1&public_endpoint=https://cdn.example"),
  ).toEqual({
    bucket: "media",
    prefix: "a/b/",
    endpoint: "https://s3.example",
    publicEndpoint: "https://cdn.example",
    region: "eu-1",
  });
  expect(parseS3Location("s3://media")).toEqual({
    bucket: "media",
    prefix: "",
    endpoint: undefined,
    publicEndpoint: undefined,
    region: "us-east-1",
  });
  for (const address of ["media", "https://media", "s3://", "s3:media"]) {
    expect(() => parseS3Location(address)).toThrow(expect.objectContaining({ code: "configuration_invalid" }));
  }
});
