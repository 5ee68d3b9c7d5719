/** A link that works without an API key, for one object and one purpose, until it expires. */
export interface UploadLink {
  /** Takes the whole object by `PUT`. */
  readonly url: string;
  /** Takes it in slices (`Content-Range`), where the store can. */
  readonly resumableUrl?: string;
}

/** What is known of a stored object without reading it. */
export interface ObjectFacts {
  readonly key: string;
  readonly sizeBytes: number;
  readonly modifiedAt: Date;
}

/** An object lent as a local file; only for reading. */
export interface BorrowedFile {
  readonly path: string;
  /** Says that it is no longer read; a temporary copy is removed. */
  release(): Promise<void>;
}

/** How clients reach the service: the beginning of every link that the service itself serves. */
type BaseUrl = string;

/**
 * Stored media and artifacts. A key is a relative path of safe segments, made by this service and never from a name that
 * a client chose. An object appears whole or not at all. What a signal aborts rejects with the signal's own reason.
 */
export interface ObjectStore {
  /** An address that takes the bytes of a new object, with exactly this content type. */
  uploadLink(key: string, contentType: string, base: BaseUrl): Promise<UploadLink>;
  /** An address that gives an object, offered for saving under `fileName`. */
  downloadLink(key: string, as: { contentType: string; fileName: string }, base: BaseUrl): Promise<string>;
  /** `null` when there is no such object. */
  stat(key: string): Promise<ObjectFacts | null>;
  /** Stores a local file under a key, in place of any older object. The file itself stays; it is not to be changed. */
  put(key: string, path: string, contentType: string, signal?: AbortSignal): Promise<void>;
  /** Lends an object as a local file. Rejects when there is no such object. */
  borrow(key: string, signal: AbortSignal): Promise<BorrowedFile>;
  /** Removes an object; quiet when there is none. */
  remove(key: string): Promise<void>;
  /** Every object whose key begins with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<ObjectFacts>;
}
