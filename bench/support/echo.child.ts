/** The bare hop of `interrupt`: what comes in goes back, and nothing else happens. */
import { type AddressInfo, createServer } from "node:net";
import { serve } from "./child.js";

export type EchoCalls = { start: { input: undefined; output: { readonly port: number } } };

serve<EchoCalls>({
  start: async () => {
    const server = createServer({ noDelay: true }, (socket) => {
      socket.on("data", (bytes) => socket.write(bytes));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { port: (server.address() as AddressInfo).port };
  },
});
