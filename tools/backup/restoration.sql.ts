export async function beginRestoration(_url: string): Promise<void> {}
