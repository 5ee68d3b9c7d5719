import { join } from "node:path";

/** Where everything stands inside a data folder. */
export interface DataFolders {
  /** The embedded records. */
  readonly records: string;
  /** Stored media and artifacts. */
  readonly objects: string;
  /** Bytes on their way in. */
  readonly incoming: string;
  /** One folder per job in progress. */
  readonly work: string;
  /** One folder per media: what depends on the programme alone. */
  readonly programmes: string;
  /** One folder per team: spoken lines. */
  readonly narration: string;
}

/** The folders inside a data folder. */
export function dataFolders(root: string): DataFolders {
  return {
    records: join(root, "records"),
    objects: join(root, "objects"),
    incoming: join(root, "incoming"),
    work: join(root, "work"),
    programmes: join(root, "programmes"),
    narration: join(root, "narration"),
  };
}
