import type { EventManagerStatic } from "@adobe/premierepro";
import { checkArguments } from "./arguments.ts";
import type { Machine } from "./machine.ts";
import { strictObject } from "./strict-object.ts";

type Handler = (event?: object) => void;

/** Who listens to what. Handlers run in a later task, with a plain object; an unknown name is silent. */
export class EventHub {
  readonly #machine: Machine;
  readonly #handlers = new Map<string, Set<Handler>>();

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  /** Number of handlers that are registered: a panel that was unloaded leaves none. */
  get size(): number {
    let size = 0;
    for (const handlers of this.#handlers.values()) size += handlers.size;
    return size;
  }

  /** Sends an event to those who listen when it is delivered. */
  send(name: unknown, event: object): void {
    this.#machine.later(() => {
      for (const handler of this.#handlers.get(String(name)) ?? []) handler({ ...event });
    });
  }

  add(name: unknown, handler: Handler): void {
    const key = String(name);
    const handlers = this.#handlers.get(key) ?? new Set();
    this.#handlers.set(key, handlers.add(handler));
  }

  remove(name: unknown, handler: Handler): void {
    this.#handlers.get(String(name))?.delete(handler);
  }
}

/** `EventManager` as the module offers it; the double sends events to all, whatever target they were asked for. */
export function eventManagerStatic(hub: EventHub, selectionChanged: unknown): EventManagerStatic {
  const target = { words: "a host object", accepts: (value: unknown) => typeof value === "object" && value !== null };
  const name = { words: "an event name", accepts: (value: unknown) => typeof value === "string" };
  return strictObject("EventManager", {
    addEventListener: (...given: Parameters<EventManagerStatic["addEventListener"]>) => {
      checkArguments("addEventListener", given, { required: [target, name, "function"], optional: ["boolean"] });
      hub.add(given[1], given[2]);
    },
    removeEventListener: (...given: Parameters<EventManagerStatic["removeEventListener"]>) => {
      checkArguments("removeEventListener", given, { required: [target, name, "function"] });
      hub.remove(given[1], given[2]);
    },
    addGlobalEventListener: (...given: Parameters<EventManagerStatic["addGlobalEventListener"]>) => {
      checkArguments("addGlobalEventListener", given, { required: [name, "function"], optional: ["boolean"] });
      // Seen live: a selection is told to those who listen to the sequence only.
      if (given[0] !== selectionChanged) hub.add(given[0], given[1]);
    },
    removeGlobalEventListener: (...given: Parameters<EventManagerStatic["removeGlobalEventListener"]>) => {
      checkArguments("removeGlobalEventListener", given, { required: [name, "function"] });
      hub.remove(given[0], given[1]);
    },
  });
}
