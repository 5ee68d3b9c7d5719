/** Codes of storage errors, as S3 and Google Cloud Storage name them, with their status. */
const STATUSES = {
  SignatureDoesNotMatch: 403,
  ExpiredToken: 403,
  NoSuchKey: 404,
  PreconditionFailed: 412,
  EntityTooLarge: 400,
  InvalidArgument: 400,
  IncompleteBody: 400,
  MethodNotAllowed: 405,
  InternalError: 500,
  InsufficientStorage: 507,
} as const;

/** Code of a storage error. */
export type StorageErrorCode = keyof typeof STATUSES;

/** A refusal by the storage side of the service, which answers in XML as storage hosts do. */
export class StorageError extends Error {
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, message: string) {
    super(message);
    this.name = "StorageError";
    this.code = code;
  }

  get status(): number {
    return STATUSES[this.code];
  }

  /** Body of the reply. Codes and messages are our own fixed words, free of markup. */
  toXml(): string {
    return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${this.code}</Code><Message>${this.message}</Message></Error>\n`;
  }
}
