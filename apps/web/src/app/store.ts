import { configureStore } from '@reduxjs/toolkit'
import { client } from '../api/client.ts'

/** Loaded with the first page behind the sign-in; visitors have no use for it. */
export const store = configureStore({
  reducer: { [client.reducerPath]: client.reducer },
  middleware: (defaults) => defaults().concat(client.middleware),
})
