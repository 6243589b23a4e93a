
/*
 * Copyright (C) the ngx_miqps authors
 */


#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "import_mem.h"


static int  learn_import_list_cmp(const void *one, const void *two);


char *
learn_import_copy(learn_arena_t *mem, const char *text, size_t len)
{
    char  *copy;

    copy = learn_arena_alloc(mem, len + 1);

    if (copy == NULL) {
        return NULL;
    }

    if (len > 0) {
        memcpy(copy, text, len);
    }

    copy[len] = '\0';

    return copy;
}


char *
learn_import_join(learn_arena_t *mem, const char *first, ...)
{
    char        *joined, *p;
    size_t       len;
    va_list      args;
    const char  *text;

    len = 0;

    va_start(args, first);

    for (text = first; text != NULL; text = va_arg(args, const char *)) {
        len += strlen(text);
    }

    va_end(args);

    joined = learn_arena_alloc(mem, len + 1);

    if (joined == NULL) {
        return NULL;
    }

    p = joined;

    va_start(args, first);

    for (text = first; text != NULL; text = va_arg(args, const char *)) {
        len = strlen(text);
        memcpy(p, text, len);
        p += len;
    }

    va_end(args);

    *p = '\0';

    return joined;
}


learn_import_rc_e
learn_import_list_add(learn_arena_t *mem, learn_import_list_t *list,
    const char *text)
{
    size_t        size;
    const char  **item;

    if (text == NULL) {
        return LEARN_IMPORT_ERROR;
    }

    if (list->n == list->size) {
        size = (list->size == 0) ? 8 : 2 * list->size;

        item = learn_arena_alloc(mem, size * sizeof(char *));

        if (item == NULL) {
            return LEARN_IMPORT_ERROR;
        }

        if (list->n > 0) {
            memcpy(item, list->item, list->n * sizeof(char *));
        }

        list->item = item;
        list->size = size;
    }

    list->item[list->n++] = text;

    return LEARN_IMPORT_OK;
}


void
learn_import_list_sort(learn_import_list_t *list)
{
    size_t  i, n;

    if (list->n < 2) {
        return;
    }

    qsort(list->item, list->n, sizeof(char *), learn_import_list_cmp);

    n = 1;

    for (i = 1; i < list->n; i++) {
        if (strcmp(list->item[i], list->item[n - 1]) != 0) {
            list->item[n++] = list->item[i];
        }
    }

    list->n = n;
}


static int
learn_import_list_cmp(const void *one, const void *two)
{
    const char *const  *a = one;
    const char *const  *b = two;

    return strcmp(*a, *b);
}


int
learn_import_list_has(const learn_import_list_t *list, const char *text)
{
    size_t  i;

    for (i = 0; i < list->n; i++) {
        if (strcmp(list->item[i], text) == 0) {
            return 1;
        }
    }

    return 0;
}


void
learn_import_buf_add(learn_import_buf_t *buf, const char *data, size_t len)
{
    char   *p;
    size_t  size;

    if (buf->failed || len == 0) {
        return;
    }

    if (len > buf->size - buf->len) {
        size = (buf->size == 0) ? 4096 : buf->size;

        while (size - buf->len < len && size <= SIZE_MAX / 4) {
            size *= 2;
        }

        p = (size - buf->len < len) ? NULL : realloc(buf->data, size);

        if (p == NULL) {
            learn_import_buf_release(buf);
            buf->failed = 1;
            return;
        }

        buf->data = p;
        buf->size = size;
    }

    memcpy(buf->data + buf->len, data, len);
    buf->len += len;
}


void
learn_import_buf_text(learn_import_buf_t *buf, const char *text)
{
    learn_import_buf_add(buf, text, strlen(text));
}


void
learn_import_buf_release(learn_import_buf_t *buf)
{
    free(buf->data);
    memset(buf, 0, sizeof(learn_import_buf_t));
}
