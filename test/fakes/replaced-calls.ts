import { syncBuiltinESMExports } from "node:module";

/**
 * Puts other functions in the place of a built-in module's own, for whoever has imported them by name too.
 *
 * @returns Puts its own back.
 */
export function replaceCalls<Module extends object>(module: Module, calls: Partial<Module>): () => void {
  const own = Object.fromEntries(Object.keys(calls).map((name) => [name, module[name as keyof Module]]));
  Object.assign(module, calls);
  syncBuiltinESMExports();
  return () => {
    Object.assign(module, own);
    syncBuiltinESMExports();
  };
}
