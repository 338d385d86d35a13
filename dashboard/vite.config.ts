import { defineConfig } from "vite";

// No asset is inlined and nothing is loaded from elsewhere: the page runs under the strict content policy of the gateway.
export default defineConfig({
  base: "./",
  build: {
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    target: "es2022",
    reportCompressedSize: false,
  },
  // For `npx vite`: the mock gateway answers what the page asks for.
  server: {
    proxy: {
      "/api": { target: "http://127.0.0.1:8123" },
      "/ws": { target: "ws://127.0.0.1:8123", ws: true },
    },
  },
});
