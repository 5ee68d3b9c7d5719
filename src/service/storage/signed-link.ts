import { createHmac, timingSafeEqual } from "node:crypto";

/** What a link allows: to put one object whole, to put it in slices, or to get it. */
export type LinkPurpose = "put" | "resume" | "get";

/** One permission, bound to everything that matters about its use. */
export interface LinkGrant {
  readonly purpose: LinkPurpose;
  readonly key: string;
  /** For `put` and `resume`: the one content type allowed, byte for byte. For `get`: the one the reply has. */
  readonly contentType: string;
  /** For `get`: the name offered for saving. */
  readonly fileName: string;
  /** Unix time in seconds at which the link ends. */
  readonly expires: number;
}

/** Why a link does not open. */
export type LinkRefusal = "expired" | "signature";

/** Where the service serves stored objects. Outside the interface's own paths, as a storage host would be. */
export const STORAGE_PATH = "/storage";

/** Signs and checks links to objects that the service itself serves. */
export class LinkSigner {
  readonly #secret: string;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** The address of a grant below a base URL. */
  sign(grant: LinkGrant, base: string): string {
    const url = new URL(
      `${base.replace(/\/+$/, "")}${STORAGE_PATH}/${grant.key.split("/").map(encodeURIComponent).join("/")}`,
    );
    url.searchParams.set("purpose", grant.purpose);
    if (grant.purpose === "get") {
      url.searchParams.set("type", grant.contentType);
      url.searchParams.set("name", grant.fileName);
    }
    url.searchParams.set("expires", String(grant.expires));
    url.searchParams.set("signature", this.#signature(grant).toString("base64url"));
    return url.href;
  }

  /** Whether a signature was made for exactly this grant, and the grant still holds at `now` (Unix seconds). */
  check(grant: LinkGrant, signature: string, now: number): LinkRefusal | null {
    const given = Buffer.from(signature, "base64url");
    const expected = this.#signature(grant);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return "signature";
    return now < grant.expires ? null : "expired";
  }

  #signature(grant: LinkGrant): Buffer {
    const { purpose, key, contentType, fileName, expires } = grant;
    // JSON keeps the members apart whatever they hold.
    return createHmac("sha256", this.#secret)
      .update(JSON.stringify([purpose, key, contentType, fileName, expires]))
      .digest();
  }
}
