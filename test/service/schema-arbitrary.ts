import fc, { type Arbitrary } from "fast-check";

/** A JSON schema, as far as descriptions of this project use it. */
export interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
}

/** How often a part of a request that is meant to be wrong is wrong. */
const WRONG = { weight: 1 };
const RIGHT = { weight: 4 };

/**
 * Values for a schema. Valid ones fit it, addresses apart, which lead nowhere; the others have parts that are missing,
 * unknown or of any shape.
 */
export function fromSchema(schema: Schema, isValid: boolean): Arbitrary<unknown> {
  const right = fitting(schema, isValid);
  if (isValid) return right;
  return fc.oneof({ ...RIGHT, arbitrary: right }, { ...WRONG, arbitrary: anything() });
}

function anything(): Arbitrary<unknown> {
  return fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom(
      null,
      "",
      " ",
      0,
      -1,
      1e308,
      true,
      [],
      {},
      "\u0000",
      "../..",
      "' OR 1=1 --",
      "𝄞\ud800",
      "x".repeat(5_000),
    ),
  ) as Arbitrary<unknown>; // JSON values of every kind
}

function fitting(schema: Schema, isValid: boolean): Arbitrary<unknown> {
  if (schema.oneOf !== undefined) return fc.oneof(...schema.oneOf.map((variant) => fromSchema(variant, isValid)));
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case "object":
      return objects(schema, isValid);
    case "array":
      return fc.array(fromSchema(schema.items ?? {}, isValid), { maxLength: 3 });
    case "number":
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
    case "integer":
      return fc.integer();
    case "boolean":
      return fc.boolean();
    case "string":
      return strings(schema.format);
    default:
      return fc.jsonValue({ maxDepth: 1 }) as Arbitrary<unknown>; // as above
  }
}

function objects({ properties = {}, required = [] }: Schema, isValid: boolean): Arbitrary<unknown> {
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, fromSchema(property, isValid)]),
  );
  const known = fc.record(members, isValid ? { requiredKeys: [...required] } : { requiredKeys: [] });
  if (isValid) return known;
  const unknown = fc.dictionary(fc.string({ maxLength: 10 }), anything(), { maxKeys: 2 });
  return fc.tuple(known, unknown).map(([one, other]) => ({ ...other, ...one }));
}

function strings(format: string | undefined): Arbitrary<string> {
  if (format === "uuid") return fc.uuid();
  // Addresses of the reserved name space: nothing is ever fetched.
  if (format === "uri")
    return fc.constantFrom("http://films.invalid/a.mp4", "https://10.0.0.1/a.mp4", "ftp://films.invalid/a");
  return fc.string({ maxLength: 40 });
}
