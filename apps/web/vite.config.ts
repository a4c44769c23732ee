import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** The text face is on every first screen, so its file is asked for before the style sheet that names it is read. */
function preloadTextFace(): Plugin {
  return {
    name: 'preload-text-face',
    transformIndexHtml: {
      order: 'post',
      handler(_html, context) {
        const file = Object.keys(context.bundle ?? {}).find((name) =>
          /public-sans-latin-wght.*\.woff2$/.test(name),
        )
        if (file === undefined) return []
        const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' }
        return [{ tag: 'link', attrs, injectTo: 'head-prepend' }]
      },
    },
  }
}

export default defineConfig({
  plugins: [react(), preloadTextFace()],
  build: {
    outDir: 'dist',
    target: 'es2022',
    // A data: URL would need a wider font-src than the Content-Security-Policy gives.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Changes with releases of React, not with ours: a member's browser keeps it between deployments.
            { name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/ },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://localhost:3000' } },
})
