import { simulate } from './testing/seeds.ts'

simulate(151, 50)
