import { setUpPlugin } from "./plugin.ts";

// The package for Adobe's Marketplace, which takes a panel only when it launches nothing and shows no tools for developers.
setUpPlugin({ launching: null, tools: null });
