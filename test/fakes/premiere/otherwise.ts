import type { premierepro } from "@adobe/premierepro";
import type { Otherwise } from "./faults.ts";
import type { Machine } from "./machine.ts";
import { nameOf } from "./strict-object.ts";

/** How the members of a Premiere answer when they are well: learnt while they are asked. */
export interface WellAnswers {
  /** What kind of value a member gives, by its name. */
  readonly kinds: Map<string, "boolean" | "list" | "object" | "text" | "number" | "nothing">;
  /** Members that answer by a promise. */
  readonly promised: Set<string>;
}

/** Answers of a Premiere that was not asked yet. */
export function noAnswers(): WellAnswers {
  return { kinds: new Map(), promised: new Set() };
}

const BARE = new WeakMap<object, object>();
const WRAPPED = new WeakMap<object, object>();

/** How many questions later an answer comes that comes later. */
const LATER = 5;

/**
 * A Premiere in which some members answer otherwise: as the switch `members` of its faults says, now. Everything else passes through,
 * and whatever it is given out or given is the double's own.
 *
 * @param well Filled with how members answer that are well; decides how the others answer.
 */
export function otherwise(module: premierepro, machine: Machine, well: WellAnswers = noAnswers()): premierepro {
  return new Wrapping(machine, well).wrap(module, "") as premierepro;
}

class Wrapping {
  readonly #machine: Machine;
  readonly #well: WellAnswers;

  constructor(machine: Machine, well: WellAnswers) {
    this.#machine = machine;
    this.#well = well;
  }

  wrap(value: unknown, given: string): unknown {
    if (typeof value !== "object" || value === null || BARE.has(value)) return value;
    if (Array.isArray(value)) return value.map((one) => this.wrap(one, given));
    if (value instanceof Promise) return value.then((one) => this.wrap(one, given));
    const known = WRAPPED.get(value);
    if (known !== undefined) return known;
    const name = given === "" || given.startsWith("Constants") ? given : nameOf(value);
    // A value of an enumeration, a plain payload: nothing of it can answer otherwise.
    if (name === undefined || /^Constants\..*\./.test(name)) return value;
    const made = new Proxy(
      {},
      {
        // What the language itself asks for is no member.
        get: (_, key) => (typeof key === "symbol" || isOfLanguage(key) ? undefined : this.#read(value, key, name)),
        has: (_, key) => this.#how(memberOf(name, String(key))) !== "missing" && Reflect.has(value, key),
        set: (_, key, to) => Reflect.set(value, key, bare(to)),
        ownKeys: () => Reflect.ownKeys(value),
        getOwnPropertyDescriptor: (_, key) => ({
          value: Reflect.get(value, key),
          enumerable: true,
          configurable: true,
        }),
      },
    );
    BARE.set(made, value);
    WRAPPED.set(value, made);
    return made;
  }

  #how(member: string): Otherwise | undefined {
    return this.#machine.faults.members[member];
  }

  #read(raw: object, key: string, name: string): unknown {
    const member = memberOf(name, key);
    const how = this.#how(member);
    if (how === "missing") return undefined;
    if (name !== "" && isMethod(raw, key)) return this.#method(raw, Reflect.get(raw, key) as Method, member);
    if (how !== undefined) return this.#plain(member, how, raw, key);
    const value: unknown = Reflect.get(raw, key);
    return this.wrap(name === "" ? value : this.#noted(member, value), member);
  }

  /** A member that is a value: whatever it does, it does when it is read. */
  #plain(member: string, how: Otherwise, raw: object, key: string): unknown {
    if (how === "refuses" || how === "throws late") throw new Error(`Invalid parameter (${member})`);
    if (how === "nothing") return undefined;
    if (how === "never") return new Promise(() => undefined);
    const value = this.wrap(Reflect.get(raw, key), member);
    return how === "later" ? this.#later(() => value) : shaped(value);
  }

  #method(raw: object, method: Method, member: string): Method {
    return (...args) => {
      const how = this.#how(member);
      const call = () =>
        Reflect.apply(
          method,
          raw,
          args.map((one) => this.#passed(one, member)),
        );
      if (how === undefined) return this.wrap(this.#noted(member, call()), member);
      const isPromised = this.#well.promised.has(member);
      const fault = () => new Error(`Invalid parameter (${member})`);
      const fail = () => {
        if (!isPromised) throw fault();
        return Promise.reject(fault());
      };
      switch (how) {
        case "never":
          return new Promise(() => undefined);
        case "refuses":
          return fail();
        case "nothing": {
          const answer = this.#nothing(member);
          return isPromised ? Promise.resolve(answer) : answer;
        }
        case "throws late": {
          const answer = call();
          return isPromised ? Promise.resolve(answer).then(fail) : fail();
        }
        case "later": {
          const answer = call();
          return this.#later(async () => this.wrap(await answer, member));
        }
        default: {
          const answer = call();
          if (answer instanceof Promise) return answer.then((one) => shaped(this.wrap(one, member)));
          return shaped(this.wrap(answer, member));
        }
      }
    };
  }

  /** What is answered by a member that does nothing: what it would answer when it has done it. */
  #nothing(member: string): unknown {
    if (/\.create\w+Action$/.test(member)) return this.#machine.inertAction();
    // A question that is answered without a look knows of nothing.
    if (/\.(?:is|has)[A-Z]\w+$/.test(member)) return false;
    const answers = { boolean: true, list: [], object: null, text: "", number: 0, nothing: undefined };
    return answers[this.#well.kinds.get(member) ?? "nothing"];
  }

  async #later<Answer>(answer: () => Answer): Promise<Awaited<Answer>> {
    for (let question = 0; question < LATER; question++) {
      await new Promise<void>((resolve) => {
        this.#machine.later(resolve);
      });
    }
    return await answer();
  }

  /** What is handed in: the double's own objects, and functions that are given wrapped ones. */
  #passed(value: unknown, member: string): unknown {
    if (typeof value !== "function") return bare(value);
    // Listeners are known by their identity.
    if (member.startsWith("EventManager.")) return value;
    return (...args: unknown[]) => (value as Method)(...args.map((one) => this.wrap(one, member)));
  }

  /** Notes how a member answers that is well. */
  #noted(member: string, answer: unknown): unknown {
    if (answer instanceof Promise) {
      this.#well.promised.add(member);
      answer.then(
        (one: unknown) => this.#well.kinds.set(member, kindOf(one)),
        () => undefined,
      );
    } else this.#well.kinds.set(member, kindOf(answer));
    return answer;
  }
}

function isOfLanguage(key: string): boolean {
  return key === "then" || key === "toJSON";
}

type Method = (...args: unknown[]) => unknown;

function kindOf(value: unknown): "boolean" | "list" | "object" | "text" | "number" | "nothing" {
  if (Array.isArray(value)) return "list";
  if (typeof value === "boolean" || typeof value === "number") return typeof value as "boolean" | "number";
  if (typeof value === "string") return "text";
  return value === undefined ? "nothing" : "object";
}

/** An answer in another shape: a list that is no array, a text or number in a box, an object that has nothing. */
function shaped(value: unknown): unknown {
  if (Array.isArray(value)) return { ...value, length: value.length };
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "string" || typeof value === "number") return { value };
  return typeof value === "object" && value !== null ? {} : value;
}

function bare(value: unknown): unknown {
  return typeof value === "object" && value !== null ? (BARE.get(value) ?? value) : value;
}

function memberOf(name: string, key: string): string {
  return name === "" ? key : `${name}.${key}`;
}

/** Whether a member is called, found out without asking for it where asking does something. */
function isMethod(raw: object, key: string): boolean {
  return Reflect.has(raw, key) && typeof Reflect.getOwnPropertyDescriptor(raw, key)?.value === "function";
}
