import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

/** The benchmark's page as one script and one style sheet, which a browser is given without a server. */
export default defineConfig({
  publicDir: false,
  build: {
    emptyOutDir: true,
    target: 'es2022',
    lib: {
      entry: fileURLToPath(new URL('treeBench.ts', import.meta.url)),
      name: 'treeBench',
      formats: ['iife'],
      fileName: () => 'tree.js',
      cssFileName: 'tree',
    },
  },
})
