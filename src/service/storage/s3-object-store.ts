import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  NotFound,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { defined } from "../../core/objects.ts";
import { ServiceStartError } from "./database.ts";
import type { LinkLives } from "./disk-object-store.ts";
import type { BorrowedFile, ObjectFacts, ObjectStore, UploadLink } from "./object-store.ts";

/** Where an S3-compatible store is. */
export interface S3Location {
  readonly bucket: string;
  /** Put before every key, with a slash at its end where not empty. */
  readonly prefix: string;
  /** `undefined`: Amazon's own of the region. */
  readonly endpoint: string | undefined;
  /** Where clients reach it, when that differs from where the service does. */
  readonly publicEndpoint: string | undefined;
  readonly region: string;
}

/** Region that stores other than Amazon's expect, if they look at all. */
const DEFAULT_REGION = "us-east-1";

/**
 * Reads `s3://bucket/prefix?endpoint=https://host&region=name&public_endpoint=https://host`. Credentials never stand in
 * it: they come from the environment, as the AWS tools take them (`AWS_ACCESS_KEY_ID`, ...).
 *
 * @throws ServiceStartError `configuration_invalid`.
 */
export function parseS3Location(address: string): S3Location {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || url.protocol !== "s3:" || url.hostname === "") {
    throw new ServiceStartError(
      "configuration_invalid",
      "ASIDE_STORAGE must look like s3://bucket?endpoint=https://host&region=name.",
    );
  }
  const prefix = url.pathname.replace(/^\/+|\/+$/g, "");
  return {
    bucket: url.hostname,
    prefix: prefix === "" ? "" : `${prefix}/`,
    endpoint: url.searchParams.get("endpoint") ?? undefined,
    publicEndpoint: url.searchParams.get("public_endpoint") ?? undefined,
    region: url.searchParams.get("region") ?? DEFAULT_REGION,
  };
}

/** Objects in an S3-compatible store, with its own presigned links: the bytes never pass through the service. */
export class S3ObjectStore implements ObjectStore {
  readonly #location: S3Location;
  readonly #client: S3Client;
  readonly #linkClient: S3Client;
  readonly #lives: LinkLives;
  readonly #borrowed: string;

  /** `borrowed` is a local folder for objects that are lent as files. */
  constructor(location: S3Location, lives: LinkLives, borrowed: string) {
    this.#location = location;
    this.#client = clientFor(location, location.endpoint);
    this.#linkClient = clientFor(location, location.publicEndpoint ?? location.endpoint);
    this.#lives = lives;
    this.#borrowed = borrowed;
  }

  /** @throws ServiceStartError `configuration_invalid` when the bucket cannot be used. */
  async check(): Promise<void> {
    try {
      await this.#client.send(new HeadBucketCommand({ Bucket: this.#location.bucket }));
    } catch (error) {
      throw new ServiceStartError(
        "configuration_invalid",
        `The bucket "${this.#location.bucket}" of ASIDE_STORAGE cannot be reached with the credentials of the environment.`,
        { cause: error },
      );
    }
  }

  async uploadLink(key: string, contentType: string): Promise<UploadLink> {
    const command = new PutObjectCommand({ ...this.#at(key), ContentType: contentType });
    const url = await getSignedUrl(this.#linkClient, command, {
      expiresIn: this.#lives.uploadSeconds,
      // Without this the store would take the bytes under any content type.
      signableHeaders: new Set(["content-type", "host"]),
    });
    return { url };
  }

  downloadLink(key: string, as: { contentType: string; fileName: string }): Promise<string> {
    const command = new GetObjectCommand({
      ...this.#at(key),
      ResponseContentType: as.contentType,
      ResponseContentDisposition: `attachment; filename="${as.fileName.replaceAll(/[^\w. -]/g, "_")}"`,
    });
    return getSignedUrl(this.#linkClient, command, { expiresIn: this.#lives.resultSeconds });
  }

  async stat(key: string): Promise<ObjectFacts | null> {
    try {
      const head = await this.#client.send(new HeadObjectCommand(this.#at(key)));
      return { key, sizeBytes: head.ContentLength ?? 0, modifiedAt: head.LastModified ?? new Date(0) };
    } catch (error) {
      if (error instanceof NotFound) return null;
      throw error;
    }
  }

  async put(key: string, path: string, contentType: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const body = createReadStream(path);
    // The upload hears of it as well, once it reads; before that nobody does.
    body.on("error", () => undefined);
    const upload = new Upload({
      client: this.#client,
      params: { ...this.#at(key), Body: body, ContentType: contentType },
    });
    const abort = () => void upload.abort().catch(() => undefined);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      await upload.done();
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", abort);
      body.destroy();
    }
  }

  async borrow(key: string, signal: AbortSignal): Promise<BorrowedFile> {
    signal.throwIfAborted();
    const { Body: body } = await this.#client.send(new GetObjectCommand(this.#at(key)), { abortSignal: signal });
    if (!(body instanceof Readable)) throw new Error("the store gave an object without a body");
    await mkdir(this.#borrowed, { recursive: true });
    const path = join(this.#borrowed, randomUUID());
    const release = () => rm(path, { force: true });
    try {
      await pipeline(body, createWriteStream(path), { signal });
    } catch (error) {
      await release();
      throw error;
    }
    return { path, release };
  }

  async remove(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#at(key)));
  }

  async *list(prefix: string): AsyncIterable<ObjectFacts> {
    let token: string | undefined;
    do {
      const page = await this.#client.send(
        new ListObjectsV2Command({
          Bucket: this.#location.bucket,
          Prefix: this.#location.prefix + prefix,
          ...defined({ ContinuationToken: token }),
        }),
      );
      for (const { Key: key, Size: sizeBytes = 0, LastModified: modifiedAt = new Date(0) } of page.Contents ?? []) {
        if (key !== undefined) yield { key: key.slice(this.#location.prefix.length), sizeBytes, modifiedAt };
      }
      token = page.NextContinuationToken;
    } while (token !== undefined);
  }

  #at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.#location.bucket, Key: this.#location.prefix + key };
  }
}

function clientFor(location: S3Location, endpoint: string | undefined): S3Client {
  return new S3Client({
    region: location.region,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    // Since 3.729 the client adds checksums that several compatible stores refuse, and that make presigned links unusable
    // for a client that sends nothing but its content type.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
}
