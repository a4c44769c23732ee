/** The program that draws uploaded pictures again: no database, no secret, no file. It keeps nothing, so it may end at any time. */
import { readPicturesSocket } from './config.ts'
import { endAtOnce, servePictures } from './serve.ts'

for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)
process.once('disconnect', () => endAtOnce('stopped'))

// Its native library is loaded with the first picture.
await servePictures(readPicturesSocket(), async (bytes) => (await import('./draw.ts')).draw(bytes))
process.send?.({ ready: true })
