import "./newer-built-ins.ts";
import { Plugin } from "./plugin.ts";

asideStart.ready(new Plugin());
