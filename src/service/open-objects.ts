import { join } from "node:path";
import type { Clock } from "../core/clock.ts";
import type { ServiceConfiguration } from "./configuration.ts";
import type { DataFolders } from "./storage/data-folders.ts";
import type { Database } from "./storage/database.ts";
import { DiskObjectStore } from "./storage/disk-object-store.ts";
import type { ObjectStore } from "./storage/object-store.ts";
import { ensureSecret } from "./storage/secrets.ts";
import { LinkSigner } from "./storage/signed-link.ts";
import { claimStore } from "./storage/store-identity.ts";

/** Where media and artifacts are stored. */
export interface OpenObjects {
  readonly objects: ObjectStore;
  /** The same objects, where the service serves them itself; `null` when a storage service does. */
  readonly disk: DiskObjectStore | null;
  readonly signer: LinkSigner;
}

/**
 * Opens the store of media and artifacts: an S3-compatible one by its address, else the data folder.
 *
 * @throws ServiceStartError `configuration_invalid`, `store_of_other_records`.
 */
export async function openObjects(
  storage: string | undefined,
  parts: {
    readonly database: Database;
    readonly folders: DataFolders;
    readonly configuration: ServiceConfiguration;
    readonly clock: Clock;
    /** Whether a store that belongs to other records is taken over. */
    readonly adoptsStore?: boolean | undefined;
  },
): Promise<OpenObjects> {
  const { configuration, folders } = parts;
  const signer = new LinkSigner(await ensureSecret(parts.database, "links"));
  const lives = { uploadSeconds: configuration.upload_link_seconds, resultSeconds: configuration.result_link_seconds };
  const claim = { workFolder: folders.work, adopts: parts.adoptsStore };
  if (storage === undefined) {
    const disk = new DiskObjectStore(folders.objects, signer, lives, parts.clock);
    await claimStore(disk, parts.database, claim);
    return { objects: disk, disk, signer };
  }
  // Only where it is asked for: its library is memory that a service on a disk of its own can do without.
  const { parseS3Location, S3ObjectStore } = await import("./storage/s3-object-store.ts");
  const objects = new S3ObjectStore(parseS3Location(storage), lives, join(folders.work, "borrowed"));
  await objects.check();
  await claimStore(objects, parts.database, claim);
  return { objects, disk: null, signer };
}
