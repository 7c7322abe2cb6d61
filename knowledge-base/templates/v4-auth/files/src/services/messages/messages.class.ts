// <<fields>>
userId: string | null;
