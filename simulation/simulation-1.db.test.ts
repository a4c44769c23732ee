import { simulate } from './testing/seeds.ts'

simulate(1, 50)
