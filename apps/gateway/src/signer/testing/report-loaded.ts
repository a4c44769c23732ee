/** Preloaded by a test (`--import`): tells on the standard output every file that the program loads. */
import { registerHooks } from 'node:module'

const loaded = new Set<string>()
registerHooks({
  load(url, context, next) {
    loaded.add(url)
    return next(url, context)
  },
})
process.on('exit', () => process.stdout.write(`loaded ${JSON.stringify([...loaded])}\n`))
