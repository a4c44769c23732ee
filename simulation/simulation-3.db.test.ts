import { simulate } from './testing/seeds.ts'

simulate(101, 50)
