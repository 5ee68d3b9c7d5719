import type { Actions } from "../../panel/controllers/actions.ts";
import type { Child, ElementNode } from "../../panel/document/element.ts";
import type { PanelEnvironment } from "../../panel/session/environment.ts";
import { HeldPorts } from "../panel/held-ports.ts";
import { type SessionInMemory, sessionInMemory } from "../panel/session-in-memory.ts";

/** What a part of the page is given, and what it did with it. */
export interface PageActions extends SessionInMemory {
  readonly actions: Actions;
  readonly ports: HeldPorts;
  /** Everything that was asked of the panel's controllers, in order. */
  readonly did: string[];
  /** Does what a person does, to its end; tells what went wrong at the foot of the page. */
  act(deed: () => unknown, failing?: number): Promise<void>;
}

/** The panel's controllers as a part of the page meets them: each notes what it is asked, and takes its time. */
export function pageActions(members: Partial<PanelEnvironment> = {}): PageActions {
  const made = sessionInMemory(members);
  const { session } = made;
  const ports = new HeldPorts();
  const did: string[] = [];
  const started: Promise<void>[] = [];
  session.run = (work) => void started.push(work().then(() => undefined, (error: unknown) => session.fail(error))); // biome-ignore format: one line
  const controller = (name: string) =>
    new Proxy({}, {
      get: (_, member) => async (...args: readonly unknown[]) => {
        did.push(`${name}.${String(member)} ${JSON.stringify(args)}`);
      },
    }); // biome-ignore format: one object
  const controllers = new Proxy(
    { session, tools: null },
    { get: (target, name) => Reflect.get(target, name) ?? ports.wrap(controller(String(name))) },
  );
  const act = async (deed: () => unknown, failing?: number) => {
    // What goes on beside it has begun before.
    started.length = 0;
    await ports.settlesLast(async () => {
      await deed();
      for (let one = started.shift(); one !== undefined; one = started.shift()) await one;
    }, failing);
  };
  return { ...made, actions: controllers as unknown as Actions, ports, did, act };
}

/** Every element of what is drawn. */
export function elementsOf(drawn: Child): readonly ElementNode[] {
  if (drawn === null || drawn === undefined || drawn === false || typeof drawn !== "object") return [];
  if ("length" in drawn) return drawn.flatMap(elementsOf);
  return [drawn, ...drawn.children.flatMap(elementsOf)];
}

/** All that is drawn, as it is read. */
export function textOf(drawn: Child): string {
  if (drawn === null || drawn === undefined || drawn === false) return "";
  if (typeof drawn !== "object") return String(drawn);
  return ("length" in drawn ? drawn : drawn.children).map(textOf).join("\n");
}

/** Presses a button of what is drawn. @throws Error where it is not there, or cannot be pressed. */
export function press(drawn: Child, id: string): unknown {
  const found = elementsOf(drawn).find(({ properties }) => properties["id"] === id);
  const listener = found?.properties["onclick"];
  if (typeof listener !== "function" || found?.properties["disabled"] === true) throw new Error(`no button ${id}`);
  return listener({} as Parameters<typeof listener>[0]);
}

/** The buttons of what is drawn, by their ids. */
export function buttonsOf(drawn: Child): readonly string[] {
  return elementsOf(drawn).flatMap(({ name, properties }) => (name === "button" ? [String(properties["id"])] : []));
}
