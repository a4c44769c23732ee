/** `npm run replay -- <run id> … | --all`: computes sealed runs again and tells what comes out otherwise. */
import { runOnDatabase } from './on-database.ts'

await runOnDatabase('replay.ts', process.argv.slice(2))
