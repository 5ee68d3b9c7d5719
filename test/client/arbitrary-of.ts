import fc from "fast-check";
import type * as z from "zod/mini";

/** Fewest entries of a list that is made: with one alone, the first could stand for all. */
const FEWEST = 2;

/** A text that may stand for words, for an address and for Base64. */
const text = () => fc.stringMatching(/^[A-Za-z][A-Za-z0-9]{0,11}$/);
const numbers = () => fc.integer({ min: 1, max: 80_000 });

/** The names of what a definition may hold; each kind of schema has some of them. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
  readonly element?: z.ZodMiniType;
  readonly innerType?: z.ZodMiniType;
  readonly valueType?: z.ZodMiniType;
  readonly items?: readonly z.ZodMiniType[];
  readonly options?: readonly z.ZodMiniType[];
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, string>>;
}

/**
 * Whatever a reply may be by the contract, every list with several entries and no text of blanks. What texts and numbers are
 * checked for beyond their kind is not looked at.
 *
 * @throws Error for a kind that no reply has.
 */
export function arbitraryOf(schema: z.ZodMiniType): fc.Arbitrary<unknown> {
  // What the library keeps of a schema has these names; its own types hide them behind every kind there is.
  const { type, ...one } = schema._zod.def as unknown as Definition;
  const inner = one.innerType ?? one.element ?? one.valueType;
  switch (type) {
    case "string":
      return text();
    case "number":
    case "int":
      return numbers().map((number) => (isWhole(schema) ? number : number / 8));
    case "boolean":
      return fc.boolean();
    case "literal":
      return fc.constantFrom(...(one.values ?? []));
    case "enum":
      return fc.constantFrom(...Object.values(one.entries ?? {}));
    case "union":
      return fc.oneof(...(one.options ?? []).map(arbitraryOf));
    case "tuple":
      return fc.tuple(...(one.items ?? []).map(arbitraryOf));
    case "object":
      return objectOf(one.shape ?? {});
  }
  if (inner === undefined) throw new Error(`no reply has a ${type}`);
  const each = arbitraryOf(inner);
  switch (type) {
    case "nullable":
      return fc.option(each);
    case "array":
      return fc.array(each, { minLength: FEWEST, maxLength: FEWEST + 2 });
    case "record":
      return fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), each, { minKeys: FEWEST, maxKeys: FEWEST + 2 });
    default:
      return each;
  }
}

/** Objects with every member that has to be there, and some of those that may be missing. */
function objectOf(shape: Readonly<Record<string, z.ZodMiniType>>): fc.Arbitrary<unknown> {
  const members = Object.entries(shape).map(([name, schema]) => [name, arbitraryOf(schema)] as const);
  const requiredKeys = Object.entries(shape).flatMap(([name, schema]) =>
    schema._zod.def.type === "optional" ? [] : [name],
  );
  return fc.record(Object.fromEntries(members), { requiredKeys });
}

function isWhole(schema: z.ZodMiniType): boolean {
  return schema._zod.bag["format"] !== undefined;
}
