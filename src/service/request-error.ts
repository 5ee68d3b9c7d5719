import { REQUEST_ERRORS, type RequestErrorCode } from "../contract/error-codes.ts";
import { AudioDescriptionError } from "../core/error.ts";

/** What an error reply may carry beside its code and sentence. */
export interface RequestErrorFields {
  /** More members of the reply's body, as the interface names them for the code. */
  readonly body?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** HTTP status of the reply, where it is not that of the code. */
  readonly status?: number;
  /** Put into `error` while the code goes into `code`, as media-state conflicts are answered. */
  readonly prose?: string;
}

/** A request that is refused: one of the codes of the interface, with the sentence that its reply carries. */
export class RequestError extends AudioDescriptionError<RequestErrorCode> {
  readonly fields: RequestErrorFields;

  constructor(code: RequestErrorCode, message: string, fields: RequestErrorFields = {}) {
    super(code, message);
    this.fields = fields;
  }

  /** HTTP status of the reply. */
  get status(): number {
    return this.fields.status ?? REQUEST_ERRORS[this.code].status;
  }
}
