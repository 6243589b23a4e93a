
/*
 * Copyright (C) the ngx_miqps authors
 */


#define _DEFAULT_SOURCE

#include "unit.h"

#include "../support/html.h"


/*
 * Links lose their parameter "u".  Each row is read in one chunk, in two with
 * the cut at every byte, and in chunks of one byte each; "want" is NULL where
 * nothing changes.
 */

typedef struct {
    const char     *sentence;
    const char     *in;
    const char     *want;
} html_row_t;


static const html_row_t  html_rows[] = {

    /* attributes that are links */

    { "changes href of a", "<a href=\"/p?u=1\">", "<a href=\"/p\">" },
    { "changes href of area", "<area href='/p?u=1'>", "<area href='/p'>" },
    { "changes href of link", "<link href=/p?u=1>", "<link href=/p>" },
    { "changes a canonical link",
      "<link rel=canonical href=\"http://a.example/p?u=1\">",
      "<link rel=canonical href=\"http://a.example/p\">" },
    { "changes src of img", "<img src=\"?a=1&u=1\">", "<img src=\"?a=1\">" },
    { "changes src of script", "<script src='/s?u=1'></script>",
      "<script src='/s'></script>" },
    { "changes src of iframe", "<iframe src='/s?u=1'></iframe>",
      "<iframe src='/s'></iframe>" },
    { "changes src of audio", "<audio src='/s?u=1'>", "<audio src='/s'>" },
    { "changes src of video", "<video src='/s?u=1'>", "<video src='/s'>" },
    { "changes src of source", "<source src='/s?u=1'>", "<source src='/s'>" },
    { "changes src of track", "<track src='/s?u=1'>", "<track src='/s'>" },
    { "changes src of embed", "<embed src='/s?u=1'>", "<embed src='/s'>" },
    { "changes src of input", "<input src='/s?u=1'>", "<input src='/s'>" },
    { "changes src of frame", "<frameset><frame src='/s?u=1'>",
      "<frameset><frame src='/s'>" },
    { "changes two attributes of a tag",
      "<img src='/s?u=1' srcset='/t?u=1'>", "<img src='/s' srcset='/t'>" },
    { "changes several tags", "<a href=/a?u=1><a href=/b?u=2>",
      "<a href=/a><a href=/b>" },
    { "reads names in any case", "<A HREF='/p?u=1'>", "<A HREF='/p'>" },
    { "leaves href of others", "<p href='/p?u=1'>", NULL },
    { "leaves src of a", "<a src='/p?u=1'>", NULL },
    { "leaves href of img", "<img href='/p?u=1'>", NULL },
    { "leaves names that begin like one", "<a hrefs='/p?u=1'>", NULL },
    { "leaves names that end like one", "<a data-href='/p?u=1'>", NULL },
    { "leaves elements that begin like one", "<ab href='/p?u=1'>", NULL },
    { "leaves elements that end like one", "<x-a href='/p?u=1'>", NULL },
    { "leaves xlink:href", "<a xlink:href='/p?u=1'>", NULL },
    { "leaves a link without the parameter", "<a href='/p?a=1&b=2'>", NULL },
    { "leaves a link without a query", "<a href='/p#u=1'>", NULL },
    { "leaves an empty link", "<a href=''>", NULL },
    { "leaves a link of spaces", "<a href='  '>", NULL },
    { "leaves attributes of end tags", "</a href='/p?u=1'>", NULL },
    { "reads what comes after an end tag with attributes",
      "</a href='>'><a href=/p?u=1>", "</a href='>'><a href=/p>" },

    /* quoting */

    { "reads no quotes", "<a href=/p?u=1 id=x>", "<a href=/p id=x>" },
    { "keeps a quote within a bare value", "<a href=/p?a='&u=1>",
      "<a href=/p?a=&#39;>" },
    { "reads a slash as part of a bare value", "<a href=/p?u=1&a=/>",
      "<a href=/p?a=/>" },
    { "does not leave a bare value empty", "<a href=?u=1 id=x>", NULL },
    { "does not leave a quoted value empty", "<a href='?u=1'>", NULL },
    { "reads the other quote as a byte", "<a href=\"/p?a='&u=1\">",
      "<a href=\"/p?a='\">" },
    { "reads the other quote in single quotes", "<a href='/p?a=\"&u=1'>",
      "<a href='/p?a=\"'>" },
    { "reads spaces around the equals sign", "<a href \n=\t '/p?u=1'>",
      "<a href \n=\t '/p'>" },
    { "reads a form feed as space", "<a\fhref='/p?u=1'>", "<a\fhref='/p'>" },
    { "reads a carriage return as space", "<a\rhref='/p?u=1'>",
      "<a\rhref='/p'>" },
    { "reads attributes without space between",
      "<a id='x'href='/p?u=1'title=y>", "<a id='x'href='/p'title=y>" },
    { "reads a slash between attributes", "<a/href='/p?u=1'/>",
      "<a/href='/p'/>" },
    { "reads a slash before a name", "<a / href='/p?u=1' / >",
      "<a / href='/p' / >" },
    { "reads an attribute without a value", "<a download href='/p?u=1'>",
      "<a download href='/p'>" },
    { "reads a value that is missing", "<a id= href='/p?u=1'>", NULL },
    { "reads the end of a tag for a value", "<a href=>/p?u=1>", NULL },
    { "reads a name that begins with an equals sign", "<a =href='/p?u=1'>",
      NULL },
    { "reads a second equals sign as part of the value",
      "<a href=='/p?u=1'>", "<a href==&#39;/p>" },
    { "reads a quote in a name", "<a \"href='/p?u=1'>", NULL },
    { "reads a quote in a name and no value", "<a x\" href='/p?u=1'>",
      "<a x\" href='/p'>" },
    { "reads the end of a tag in quotes as a byte",
      "<a title='>' href='/p?u=1'>", "<a title='>' href='/p'>" },
    { "reads a tag in quotes as bytes",
      "<p title=\"<a href='/p?u=1'>\">", NULL },
    { "takes the first of two", "<a href='/p?u=1' href='/q?u=1'>",
      "<a href='/p' href='/q?u=1'>" },
    { "takes the first of two, even without a value",
      "<a href href='/q?u=1'>", NULL },
    { "takes the first of two, in any case", "<a HREF='/p' href='/q?u=1'>",
      NULL },

    /* space in values */

    { "keeps space around a link", "<a href=' \n/p?u=1\t '>",
      "<a href=' \n/p\t '>" },
    { "leaves a link with a space in it", "<a href='/a p?u=1'>", NULL },
    { "leaves a link with a tab in it", "<a href='/p?\tu=1'>", NULL },
    { "leaves a link with a line feed in it", "<a href='/p?u=1&\na=1'>",
      NULL },
    { "leaves a link with a control byte", "<a href='\001/p?u=1'>", NULL },
    { "leaves a link with a deleted byte", "<a href='/p\177?u=1'>", NULL },
    { "keeps bytes above ASCII", "<a href='/\303\251?\377=1&u=1'>",
      "<a href='/\303\251?\377=1'>" },

    /* character references */

    { "reads &amp;", "<a href='/p?a=1&amp;u=1'>", "<a href='/p?a=1'>" },
    { "writes &amp;", "<a href='/p?a=1&amp;u=1&amp;b=2'>",
      "<a href='/p?a=1&amp;b=2'>" },
    { "writes &amp; for an ampersand that was bare",
      "<a href='/p?a=1&u=1&b=2'>", "<a href='/p?a=1&amp;b=2'>" },
    { "keeps references of a link that stays", "<a href='/p?a=1&#38;b=2'>",
      NULL },
    { "keeps references of other attributes",
      "<a href='/p?u=1' title='&lt;&copy;&nope;'>",
      "<a href='/p' title='&lt;&copy;&nope;'>" },
    { "reads &amp without a semicolon", "<a href='/p?a&amp&u=1'>",
      "<a href='/p?a&amp;'>" },
    { "reads a decimal number", "<a href='/p?a=1&#38;u=1'>",
      "<a href='/p?a=1'>" },
    { "reads a hexadecimal number", "<a href='/p?a=1&#X26;u=1'>",
      "<a href='/p?a=1'>" },
    { "reads a number without a semicolon", "<a href='/p?a=1&#38u=1'>",
      "<a href='/p?a=1'>" },
    { "reads a number that hides the name", "<a href='/p?&#117;=1'>",
      "<a href='/p'>" },
    { "reads a number that ends a value", "<a href='/p?u=1&#38'>",
      "<a href='/p?'>" },
    { "reads a number without digits as bytes", "<a href='/p?u=1&#x'>",
      "<a href='/p?#x'>" },
    { "reads names of ASCII", "<a href='/p?a=&commat;&u&equals;1'>",
      "<a href='/p?a=@'>" },
    { "leaves a query that begins with a reference",
      "<a href='/p&quest;u=1'>", NULL },
    { "writes a quote as a reference", "<a href='/p?a=&apos;&u=1'>",
      "<a href='/p?a=&#39;'>" },
    { "writes a double quote as a reference",
      "<a href=\"/p?a=&quot;&u=1\">", "<a href=\"/p?a=&quot;\">" },
    { "writes both quotes as references in a bare value",
      "<a href=/p?a=&quot;&#39;&u=1>", "<a href=/p?a=&quot;&#39;>" },
    { "writes an angle bracket as a reference",
      "<a href=/p?a=&gt;&lt;&u=1>", "<a href=/p?a=&gt;&lt;>" },
    { "leaves a reference to space", "<a href='/p?a=&#32;&u=1'>", NULL },
    { "leaves a reference to a tab", "<a href='/p?&Tab;u=1'>", NULL },
    { "leaves a reference to NUL", "<a href='/p?&#0;&u=1'>", NULL },
    { "leaves a reference above ASCII", "<a href='/p?a=&#233;&u=1'>", NULL },
    { "leaves a number that is too large",
      "<a href='/p?a=&#99999999999999999999;&u=1'>", NULL },
    { "leaves a name above ASCII", "<a href='/p?a=&eacute;&u=1'>", NULL },
    { "leaves a name that it does not know",
      "<a href='/p?a=&rightarrow;&u=1'>", NULL },
    { "leaves an old name without a semicolon", "<a href='/p?a&copy&u=1'>",
      NULL },
    { "leaves an old name before an underscore",
      "<a href='/p?u=1&para_x=1'>", NULL },
    { "reads an old name before an equals sign as bytes",
      "<a href='/p?u=1&copy=1'>", "<a href='/p?copy=1'>" },
    { "reads an old name before a letter as bytes",
      "<a href='/p?u=1&section[]=1'>", "<a href='/p?section[]=1'>" },
    { "reads a name that is none as bytes", "<a href='/p?u=1&sort_by=1'>",
      "<a href='/p?sort_by=1'>" },
    { "reads the first of the old names", "<a href='/p?u=1&AElig'>", NULL },
    { "reads the last of the old names", "<a href='/p?u=1&yuml'>", NULL },

    /* forms */

    { "changes action of a form", "<form action='/p?u=1'>",
      "<form action='/p'>" },
    { "changes action of a GET form",
      "<form method=get action='/p?u=1' id=x>",
      "<form method=get action='/p' id=x>" },
    { "changes action before the method",
      "<form action=\"/p?u=1\" method=\"GET\" id=x>",
      "<form action=\"/p\" method=\"GET\" id=x>" },
    { "changes action where the method is none",
      "<form action='/p?u=1' method=put>", "<form action='/p' method=put>" },
    { "changes action where the method is empty",
      "<form action='/p?u=1' method>", "<form action='/p' method>" },
    { "leaves action of a POST form", "<form method=post action='/p?u=1'>",
      NULL },
    { "leaves action before POST", "<form action='/p?u=1' method=\"POST\">",
      NULL },
    { "leaves action of a dialog", "<form action='/p?u=1' method=dialog>",
      NULL },
    { "leaves action with a method that has references",
      "<form action='/p?u=1' method='p&#111;st'>", NULL },
    { "takes the first of two methods",
      "<form action='/p?u=1' method=get method=post>",
      "<form action='/p' method=get method=post>" },
    { "takes the first of two methods, which is POST",
      "<form action='/p?u=1' method=post method=get>", NULL },
    { "leaves action of a form without an end", "<form action='/p?u=1' id=x",
      NULL },
    { "leaves action of others", "<p action='/p?u=1'>", NULL },

    /* meta */

    { "changes og:url",
      "<meta property=\"og:url\" content=\"http://a.example/?u=1\" />",
      "<meta property=\"og:url\" content=\"http://a.example/\" />" },
    { "changes og:url before the property",
      "<meta content=\"/p?u=1\" property='og:url'>",
      "<meta content=\"/p\" property='og:url'>" },
    { "leaves other properties",
      "<meta property='og:image' content='/p?u=1'>", NULL },
    { "leaves content without a property", "<meta content='/p?u=1'>", NULL },
    { "leaves content with a name",
      "<meta name='og:url' content='/p?u=1'>", NULL },
    { "changes a refresh",
      "<meta http-equiv=refresh content='5; url=/p?u=1'>",
      "<meta http-equiv=refresh content='5; url=/p'>" },
    { "changes a refresh before its name",
      "<meta content='5;URL=/p?u=1' http-equiv=\"Refresh\">",
      "<meta content='5;URL=/p' http-equiv=\"Refresh\">" },
    { "changes a refresh in quotes",
      "<meta http-equiv=refresh content=\"5;url='/p?u=1'x\">",
      "<meta http-equiv=refresh content=\"5;url='/p'x\">" },
    { "changes a refresh with a quote at its beginning",
      "<meta http-equiv=refresh content=\"5;url='/p?u=1\">",
      "<meta http-equiv=refresh content=\"5;url='/p\">" },
    { "changes a refresh without the word",
      "<meta http-equiv=refresh content='0, /p?u=1 '>",
      "<meta http-equiv=refresh content='0, /p '>" },
    { "changes a refresh after a space",
      "<meta http-equiv=refresh content=' .5 url = /p?u=1'>",
      "<meta http-equiv=refresh content=' .5 url = /p'>" },
    { "changes a refresh that begins like the word",
      "<meta http-equiv=refresh content='0;ur?u=1'>",
      "<meta http-equiv=refresh content='0;ur'>" },
    { "leaves a refresh without a URL",
      "<meta http-equiv=refresh content='5'>", NULL },
    { "leaves a refresh without seconds",
      "<meta http-equiv=refresh content='url=/p?u=1'>", NULL },
    { "leaves a refresh with other bytes",
      "<meta http-equiv=refresh content='5x;url=/p?u=1'>", NULL },
    { "leaves a refresh with references in its form",
      "<meta http-equiv=refresh content='5;&#117;rl=/p?u=1'>", NULL },
    { "changes a refresh with references in its query",
      "<meta http-equiv=refresh content='5;url=/p?a=1&amp;u=1'>",
      "<meta http-equiv=refresh content='5;url=/p?a=1'>" },
    { "leaves a refresh with a quote as a reference",
      "<meta http-equiv=refresh content='5;url=/p?u=1&a=&#39;'>", NULL },
    { "leaves what is a refresh and more",
      "<meta http-equiv=refresh property=og:url content='5;url=/p?u=1'>",
      NULL },

    /* srcset */

    { "changes a candidate", "<img srcset='/p?u=1'>", "<img srcset='/p'>" },
    { "changes candidates with descriptors",
      "<img srcset=\"/a?u=1 1x, /b?u=2 2x\">",
      "<img srcset=\"/a 1x, /b 2x\">" },
    { "changes candidates of a source",
      "<source srcset=\"\n /a?u=1 100w,\n /b?u=2 200w,\n\">",
      "<source srcset=\"\n /a 100w,\n /b 200w,\n\">" },
    { "changes one of the candidates",
      "<img srcset=\"/a?x=&amp;&#38; 1x, /b?u=2 2x\">",
      "<img srcset=\"/a?x=&amp;&#38; 1x, /b 2x\">" },
    { "reads a comma as the end of a URL", "<img srcset='/a?u=1, /b?u=1'>",
      "<img srcset='/a, /b'>" },
    { "reads a comma within a URL", "<img srcset='/a,b?u=1 2x'>",
      "<img srcset='/a,b 2x'>" },
    { "reads commas before a URL", "<img srcset=', ,/a?u=1 2x'>",
      "<img srcset=', ,/a 2x'>" },
    { "reads a comma in parentheses",
      "<img srcset='/a f(1, /b?u=1), /c?u=1'>",
      "<img srcset='/a f(1, /b?u=1), /c'>" },
    { "does not end a URL with a comma",
      "<img srcset='/a?b=,&u=1 2x, /c?u=1'>",
      "<img srcset='/a?b=,&u=1 2x, /c'>" },
    { "leaves a candidate with a comma as a reference",
      "<img srcset='/a?u=1&b=&#44; 2x'>", NULL },
    { "leaves candidates behind a reference",
      "<img srcset='/a 2x&lpar;, /b?u=1'>", NULL },
    { "leaves a candidate that is data",
      "<img srcset='data:image/png;base64,AAAA 1x, /b?u=1 2x'>",
      "<img srcset='data:image/png;base64,AAAA 1x, /b 2x'>" },
    { "changes candidates of a preload",
      "<link rel=preload imagesrcset='/a?u=1 1x, /b?u=1 2x' href='/a?u=1'>",
      "<link rel=preload imagesrcset='/a 1x, /b 2x' href='/a'>" },
    { "changes candidates of a preload behind its link",
      "<link href='/a?u=1' imagesrcset='/a?u=1 1x, /b?u=1 2x' rel=preload>",
      "<link href='/a' imagesrcset='/a 1x, /b 2x' rel=preload>" },
    { "changes a link before candidates that are none",
      "<link href='/a?u=1' imagesrcset rel=x>",
      "<link href='/a' imagesrcset rel=x>" },
    { "leaves srcset of a link", "<link srcset='/a?u=1'>", NULL },
    { "leaves imagesrcset of others", "<img imagesrcset='/a?u=1'>", NULL },
    { "leaves an empty srcset", "<img srcset=' , '>", NULL },

    /* comments and the like */

    { "leaves comments", "<!-- <a href='/p?u=1'> -->", NULL },
    { "reads what comes after a comment", "<!-- x --><a href='/p?u=1'>",
      "<!-- x --><a href='/p'>" },
    { "reads the shortest comment", "<!--><a href='/p?u=1'>-->",
      "<!--><a href='/p'>-->" },
    { "reads the next shortest comment", "<!---><a href='/p?u=1'>-->",
      "<!---><a href='/p'>-->" },
    { "reads a comment of dashes", "<!------><a href='/p?u=1'>",
      "<!------><a href='/p'>" },
    { "reads a comment that ends with a bang", "<!--x--!><a href='/p?u=1'>",
      "<!--x--!><a href='/p'>" },
    { "reads a bang at its beginning as a byte",
      "<!--!><a href='/p?u=1'>-->", NULL },
    { "reads a bang behind dashes as a byte",
      "<!-- --!x><a href='/p?u=1'>-->", NULL },
    { "reads a bang and a dash", "<!-- --!--><a href='/p?u=1'>",
      "<!-- --!--><a href='/p'>" },
    { "reads a comment within a comment",
      "<!-- <!-- --><a href='/p?u=1'> -->",
      "<!-- <!-- --><a href='/p'> -->" },
    { "leaves a comment without an end", "<!-- > -- > <a href='/p?u=1'>",
      NULL },
    { "reads a document type", "<!DOCTYPE html><a href='/p?u=1'>",
      "<!DOCTYPE html><a href='/p'>" },
    { "reads a document type with quotes",
      "<!doctype html PUBLIC \"x>\"><a href='/p?u=1'>",
      "<!doctype html PUBLIC \"x>\"><a href='/p'>" },
    { "reads a declaration that is none", "<!-x><a href='/p?u=1'>",
      "<!-x><a href='/p'>" },
    { "reads an instruction", "<?xml ?><a href='/p?u=1'>",
      "<?xml ?><a href='/p'>" },
    { "leaves an instruction", "<?x <a href='/p?u=1'", NULL },
    { "reads an end tag that is none", "</ x><a href='/p?u=1'>",
      "</ x><a href='/p'>" },
    { "reads an end tag without a name", "</><a href='/p?u=1'>",
      "</><a href='/p'>" },
    { "reads an angle bracket as text", "1 < 2 <<a href='/p?u=1'>",
      "1 < 2 <<a href='/p'>" },
    { "reads an angle bracket in a tag as a name",
      "<p <a href='/p?u=1'>", NULL },
    { "reads a tag without an end", "<a href='/p?u=1'", "<a href='/p'" },
    { "leaves a value without an end", "<a href='/p?u=1", NULL },
    { "leaves a bare value without an end", "<a href=/p?u=1", NULL },

    /* text in elements */

    { "leaves a script", "<script>x = \"<a href='/p?u=1'>\"</script>", NULL },
    { "reads what comes after a script", "<script></script><a href='/p?u=1'>",
      "<script></script><a href='/p'>" },
    { "reads the end of a script in any case",
      "<script>'</scripts>'</SCRIPT ><a href='/p?u=1'>",
      "<script>'</scripts>'</SCRIPT ><a href='/p'>" },
    { "reads the end of a script with attributes",
      "<script></script x='>'><a href='/p?u=1'>",
      "<script></script x='>'><a href='/p'>" },
    { "reads a script in a comment in a script",
      "<script><!-- <script></script><a href='/p?u=1'> --></script>", NULL },
    { "reads a comment in a script that ends",
      "<script><!-- <script>--></script><a href='/p?u=1'>",
      "<script><!-- <script>--></script><a href='/p'>" },
    { "reads a comment in a script that does not end",
      "<script><!-- </script><a href='/p?u=1'>",
      "<script><!-- </script><a href='/p'>" },
    { "reads two ends of a script in a comment",
      "<script><!-- <script> </script> </script><a href='/p?u=1'>",
      "<script><!-- <script> </script> </script><a href='/p'>" },
    { "reads the shortest comment in a script",
      "<script><!--><script></script><a href='/p?u=1'>",
      "<script><!--><script></script><a href='/p'>" },
    { "reads other elements in a comment in a script",
      "<script><!-- <scripty></script><a href='/p?u=1'>",
      "<script><!-- <scripty></script><a href='/p'>" },
    { "leaves a style", "<style>/* <a href='/p?u=1'> */</style>", NULL },
    { "reads what comes after a style",
      "<style></styles></style><a href='/p?u=1'>",
      "<style></styles></style><a href='/p'>" },
    { "leaves a textarea", "<textarea><a href='/p?u=1'></textarea>", NULL },
    { "leaves a title", "<title><a href='/p?u=1'></title>", NULL },
    { "leaves an xmp", "<xmp><a href='/p?u=1'></xmp>", NULL },
    { "leaves the text of an iframe", "<iframe><a href='/p?u=1'></iframe>",
      NULL },
    { "leaves a noembed", "<noembed><a href='/p?u=1'></noembed>", NULL },
    { "leaves a noframes", "<noframes><a href='/p?u=1'></noframes>", NULL },
    { "leaves a noscript", "<noscript><a href='/p?u=1'></noscript>", NULL },
    { "reads what comes after a noscript",
      "<noscript><b></noscript><a href='/p?u=1'>",
      "<noscript><b></noscript><a href='/p'>" },
    { "leaves what comes after a noscript with a comment",
      "<noscript><!-- </noscript> --><a href='/p?u=1'>", NULL },
    { "leaves what comes after a noscript with its end in a value",
      "<noscript><p title='</noscript>'></noscript><a href='/p?u=1'>", NULL },
    { "leaves what comes after a noscript with its end in a style",
      "<noscript><style></noscript></style></noscript><a href='/p?u=1'>",
      NULL },
    { "reads a noscript with an iframe",
      "<noscript><iframe src='/p?u=1'></iframe></noscript><a href='/p?u=1'>",
      "<noscript><iframe src='/p?u=1'></iframe></noscript><a href='/p'>" },
    { "leaves what comes after a noscript with a template",
      "<noscript><template></noscript><a href='/p?u=1'>", NULL },
    { "leaves what comes after plaintext",
      "<plaintext></plaintext><a href='/p?u=1'>", NULL },
    { "reads the end of another element as text",
      "<title></textarea><a href='/p?u=1'></title><a href='/p?u=1'>",
      "<title></textarea><a href='/p?u=1'></title><a href='/p'>" },
    { "reads a slash of a title as nothing",
      "<title/><a href='/p?u=1'></title/><a href='/p?u=1'>",
      "<title/><a href='/p?u=1'></title/><a href='/p'>" },
    { "reads a comment in a textarea as text",
      "<textarea><!-- </textarea><a href='/p?u=1'>",
      "<textarea><!-- </textarea><a href='/p'>" },
    { "leaves a template", "<template><a href='/p?u=1'></template>", NULL },
    { "reads what comes after templates",
      "<template><template></template><a href='/p?u=1'></template>"
      "<a href='/p?u=1'>",
      "<template><template></template><a href='/p?u=1'></template>"
      "<a href='/p'>" },
    { "leaves what comes after text in a template of columns",
      "<template><col><style><!--</style></template><a href='/p?u=1'>-->",
      NULL },
    { "leaves what comes after a script in it",
      "<template><col><script></template><a href='/p?u=1'></script>", NULL },
    { "leaves what comes after SVG in it",
      "<template><col><svg></svg></template><a href='/p?u=1'>", NULL },
    { "reads what comes after such a template",
      "<template><col></template><style></style><a href='/p?u=1'>",
      "<template><col></template><style></style><a href='/p'>" },
    { "reads what comes after a col that is in none",
      "<col><style></style><a href='/p?u=1'>",
      "<col><style></style><a href='/p'>" },
    { "knows a select that a template does not end",
      "<select><template></select></template><title><!--</title>"
      "<a href='/p?u=1'>-->", NULL },
    { "knows it after another select in the template",
      "<select><template><select></select></template><title><!--</title>"
      "<a href='/p?u=1'>-->", NULL },
    { "reads what comes after a template with a select",
      "<template><select></template><style></style><a href='/p?u=1'>",
      "<template><select></template><style></style><a href='/p'>" },
    { "reads the end of no template", "</template><a href='/p?u=1'>",
      "</template><a href='/p'>" },
    { "reads a script in a template",
      "<template><script></template></script></template><a href='/p?u=1'>",
      "<template><script></template></script></template><a href='/p'>" },

    /* foreign elements */

    { "changes href of a in SVG", "<svg><a href='/p?u=1'></a></svg>",
      "<svg><a href='/p'></a></svg>" },
    { "leaves others in SVG", "<svg><link href='/p?u=1'></svg>", NULL },
    { "reads a comment that looks like CDATA",
      "<![CDATA[><a href='/p?u=1'>]]>", "<![CDATA[><a href='/p'>]]>" },
    { "leaves CDATA in SVG",
      "<svg><![CDATA[><a href='/p?u=1'>]]></svg>", NULL },
    { "reads what comes after CDATA in SVG",
      "<svg><![CDATA[]]]></svg>]]><a href='/p?u=1'>",
      "<svg><![CDATA[]]]></svg>]]><a href='/p'>" },
    { "leaves CDATA in MathML",
      "<math><mi><![CDATA[><a href='/p?u=1'>]]></mi></math>", NULL },
    { "reads no CDATA after SVG", "<svg></svg><![CDATA[><a href='/p?u=1'>]]>",
      "<svg></svg><![CDATA[><a href='/p'>]]>" },
    { "reads no CDATA after an SVG that is whole",
      "<svg/><![CDATA[><a href='/p?u=1'>]]>",
      "<svg/><![CDATA[><a href='/p'>]]>" },
    { "reads CDATA in any case as a comment",
      "<svg><![cdata[><a href='/p?u=1'>]]></svg>",
      "<svg><![cdata[><a href='/p'>]]></svg>" },
    { "reads a style in SVG as no text",
      "<svg><style><a href='/p?u=1'></a></style></svg>",
      "<svg><style><a href='/p'></a></style></svg>" },
    { "reads a comment in a style in SVG",
      "<svg><style><!-- </style><a href='/p?u=1'> --></style></svg>", NULL },
    { "reads a script in SVG as no text",
      "<svg><script/></svg><a href='/p?u=1'>",
      "<svg><script/></svg><a href='/p'>" },
    { "reads a title in SVG", "<svg><title>x</title><style><a href='/p?u=1'>",
      "<svg><title>x</title><style><a href='/p'>" },
    { "reads elements of SVG that are not closed",
      "<svg><g><path></svg><style><a href='/p?u=1'></style>", NULL },
    { "reads SVG in SVG", "<svg><svg></svg><style><a href='/p?u=1'>",
      "<svg><svg></svg><style><a href='/p'>" },
    { "reads a style after MathML",
      "<math><mi>x</mi></math><style><a href='/p?u=1'></style>", NULL },
    { "changes what comes in doubt",
      "<svg><p></svg><a href='/p?u=1'>", "<svg><p></svg><a href='/p'>" },
    { "leaves what comes after text in doubt",
      "<svg><p></svg><style></style><a href='/p?u=1'>", NULL },
    { "leaves what comes after CDATA in doubt",
      "<svg><p></svg><![CDATA[]]><a href='/p?u=1'>", NULL },
    { "is in doubt in foreignObject",
      "<svg><foreignObject><div><style></style><a href='/p?u=1'>", NULL },
    { "is in doubt after the end of what is around SVG",
      "<div><svg><g></div><style></style><a href='/p?u=1'>", NULL },
    { "is in doubt after the end of a paragraph in SVG",
      "<svg></p><style></style><a href='/p?u=1'>", NULL },
    { "is in doubt after a long name in SVG",
      "<svg><abcdefghijklmnopqrstuvwxyz><style><a href='/p?u=1'>", NULL },
    { "is in doubt of SVG in a select",
      "<select><svg></select><a href='/p?u=1'>", NULL },
    { "is in doubt of text in a select",
      "<select><title></select><a href='/p?u=1'>", NULL },
    { "reads a script in a select",
      "<select><script></script></select><a href='/p?u=1'>",
      "<select><script></script></select><a href='/p'>" },
    { "reads what comes after a select",
      "<select></select><svg></svg><a href='/p?u=1'>",
      "<select></select><svg></svg><a href='/p'>" },
    { "is in doubt of a script among frames",
      "<frameset><script></frameset><a href='/p?u=1'>", NULL },
    { "leaves the bytes of noframes among frames",
      "<frameset><noframes><a href='/p?u=1'></noframes>", NULL },

    /* base */

    { "leaves a base", "<base href='/p?u=1'><a href='x?u=1'>",
      "<base href='/p?u=1'><a href='x'>" },
    { "reads what comes after a second base",
      "<base href='/'><base href='/a/'><table><a href='/p?u=1'>",
      "<base href='/'><base href='/a/'><table><a href='/p'>" },
    { "reads what comes after a base in a table",
      "<table><base href='/'><a href='/p?u=1'>",
      "<table><base href='/'><a href='/p'>" },
    { "leaves what comes after a second base with a table before it",
      "<table><td><base href='/'><tr><base href='/a/'><a href='/p?u=1'>",
      NULL },
    { "leaves a base in SVG", "<svg><base href='/p?u=1'></svg>", NULL },
    { "leaves what comes after a base in doubt",
      "<select><base href='/'><a href='/p?u=1'>", NULL },

    /* bytes that are no text, and charsets */

    { "leaves UTF-16, high byte first", "\376\377<a href='/p?u=1'>", NULL },
    { "leaves UTF-16, low byte first", "\377\376<a href='/p?u=1'>", NULL },
    { "reads UTF-8 with a mark", "\357\273\277<a href='/p?u=1'>",
      "\357\273\277<a href='/p'>" },
    { "reads half a mark as text", "\376<a href='/p?u=1'>",
      "\376<a href='/p'>" },
    { "reads bytes that are no UTF-8", "\300\200<a href='/p?u=1&\300=1'>",
      "\300\200<a href='/p?\300=1'>" },
    { "leaves what comes after a charset with escapes",
      "<meta charset=ISO-2022-JP><a href='/p?u=1'>", NULL },
    { "leaves what comes after a type with such a charset",
      "<meta http-equiv=Content-Type content='text/html; charset=iso-2022-jp'>"
      "<a href='/p?u=1'>", NULL },
    { "leaves what comes after another name of it",
      "<meta charset=csISO2022JP><a href='/p?u=1'>", NULL },
    { "leaves what comes after a charset with references",
      "<meta charset='iso-202&#50;-jp'><a href='/p?u=1'>", NULL },
    { "leaves what comes after a charset behind white space",
      "<meta charset='                        iso-2022-jp'>"
      "<a href='/p?u=1'>", NULL },
    { "leaves what comes after an XML declaration with such a charset",
      "<?xml version='1.0' encoding='iso-2022-jp'?><a href='/p?u=1'>", NULL },
    { "finds it after digits that are like it",
      "<?xml 22022?><a href='/p?u=1'>", NULL },
    { "finds it after more of them",
      "<?xml 20202 20222?><a href='/p?u=1'>", NULL },
    { "reads what comes after other XML declarations",
      "<?xml version='1.0' encoding='utf-8'?><a href='/p?u=1'>",
      "<?xml version='1.0' encoding='utf-8'?><a href='/p'>" },
    { "reads what comes after other charsets",
      "<meta charset=Shift_JIS><meta http-equiv=Content-Type "
      "content='text/html; charset=iso-8859-1'><a href='/p?u=1'>",
      "<meta charset=Shift_JIS><meta http-equiv=Content-Type "
      "content='text/html; charset=iso-8859-1'><a href='/p'>" },
    { "leaves a body of nothing", "", NULL },
    { "leaves text", "u=1", NULL },
    { "leaves an angle bracket at the end", "<", NULL }
};


/* chunks end at a guard page, and one is gone when the next one comes */

static void
feed(html_t *h, const char *data, size_t len)
{
    page_t  page;

    page_init(&page, len);
    html_feed(h, page_put(&page, data, len), len);
    page_release(&page);
}


/* a chunk without bytes, and a call for what is left, change nothing */

static void
feed_nothing(html_t *h)
{
    html_feed(h, (const uint8_t *) "", 0);
    html_pieces(h);
}


static void
check(html_t *h, const html_row_t *row)
{
    html_finish(h);
    unit_equal(h->out, h->len, (row->want != NULL) ? row->want : row->in);
    html_release(h);
}


static void
test_html(void **state)
{
    size_t             i, len;
    html_t             h;
    const html_row_t  *row;

    row = *state;
    len = strlen(row->in);

    html_init(&h, 2 * len);
    feed(&h, row->in, len);
    check(&h, row);

    for (i = 0; i < len; i++) {
        html_init(&h, 2 * len);
        feed(&h, row->in, i);
        feed_nothing(&h);
        feed(&h, row->in + i, len - i);
        check(&h, row);
    }

    html_init(&h, 2 * len);

    for (i = 0; i < len; i++) {
        feed(&h, row->in + i, 1);
    }

    check(&h, row);
}


/* what a row cannot say: NULs, long values, what was told and copied */

static void
test_html_nul(void **state)
{
    static const char  in[] = "<a\0href='/p?u=1'><a h\0ref='/p?u=1'>"
                              "<a href='/p\0?u=1'><p\0><a href='/p?u=1'>";
    static const char  want[] = "<a\0href='/p?u=1'><a h\0ref='/p?u=1'>"
                                "<a href='/p\0?u=1'><p\0><a href='/p'>";

    size_t  i;
    html_t  h;

    (void) state;

    for (i = 0; i < sizeof(in); i++) {
        html_init(&h, sizeof(in));
        feed(&h, in, i);
        feed(&h, in + i, sizeof(in) - 1 - i);
        html_finish(&h);

        assert_int_equal(h.len, sizeof(want) - 1);
        assert_memory_equal(h.out, want, h.len);
        html_release(&h);
    }
}


/* "n" bytes in the value, of which those that are no link are the tail */

static void
check_long(const char *head, const char *tail, size_t n, int changes,
    size_t chunk)
{
    char    *in;
    size_t   i, len, size, value;
    html_t   h;

    size = n + strlen(head) + strlen(tail) + 64;
    in = malloc(size);
    assert_non_null(in);

    len = (size_t) snprintf(in, size, "%s/p?u=1&a=", head);
    value = len - strlen(head);
    memset(in + len, 'x', n - value);
    len += n - value;
    len += (size_t) snprintf(in + len, size - len, "%s<a href='/q?u=1'>",
                             tail);

    html_init(&h, len);

    for (i = 0; i < len; i += chunk) {
        feed(&h, in + i, (chunk < len - i) ? chunk : len - i);
        feed_nothing(&h);
    }

    html_finish(&h);

    assert_int_equal(h.changed, changes ? 2 : 1);
    assert_int_equal(h.len, len - (changes ? 8 : 4));

    html_release(&h);
    free(in);
}


static void
test_html_long(void **state)
{
    size_t                i;
    static const size_t   chunks[] = { 1, 7, 1000, 2600, 4095, 4096, 4097,
                                       100000 };

    (void) state;

    for (i = 0; i < sizeof(chunks) / sizeof(chunks[0]); i++) {
        check_long("<a href='", "'>", MIQPS_HTML_HOLD, 1, chunks[i]);
        check_long("<a href='", "'>", MIQPS_HTML_HOLD + 1, 0, chunks[i]);
        check_long("<a href=", " id=x>", MIQPS_HTML_HOLD, 1, chunks[i]);
        check_long("<a href=", ">", 3 * MIQPS_HTML_HOLD, 0, chunks[i]);
        check_long("<img srcset='", "'>", 9 * MIQPS_HTML_HOLD, 0, chunks[i]);

        /* with the rest of the tag */

        check_long("<form action='", "' id='abcdefghi'>",
                   MIQPS_HTML_HOLD - 16, 1, chunks[i]);
        check_long("<form action='", "' id='abcdefghi'>",
                   MIQPS_HTML_HOLD - 15, 0, chunks[i]);
    }
}


static void
test_html_base(void **state)
{
    html_t              h;
    static const char   in[] = "<base target=x><base href=' /a/ '>"
                               "<base href='/b/'><template><base href=/c/>";

    (void) state;

    html_init(&h, sizeof(in));
    feed(&h, in, sizeof(in) - 1);
    html_finish(&h);

    assert_int_equal(h.bases, 1);
    assert_int_equal(h.links, 0);

    html_release(&h);
}


/* a link is, whatever comes first, and one that is not is none */

static void
test_html_canonical(void **state)
{
    size_t              i;
    html_t              h;
    static const char   in[] = "<link rel=canonical href=/a?u=1>"
                               "<link href='/b?u=1' REL=' x\tCanonical '>"
                               "<link href=/c rel=canonical>"
                               "<link rel=canonicals href=/d?u=1>"
                               "<link rel='x' rel=canonical href=/e?u=1>"
                               "<a rel=canonical href=/f?u=1>"
                               "<link href=/g?u=1><a href=/h?u=1>";

    (void) state;

    for (i = 0; i < sizeof(in); i++) {
        html_init(&h, sizeof(in));
        feed(&h, in, i);
        feed(&h, in + i, sizeof(in) - 1 - i);
        html_finish(&h);

        assert_int_equal(h.canonical, 2);
        assert_int_equal(h.changed, 7);

        html_release(&h);
    }
}


/* links of a base that is too long to be read could lead anywhere */

static void
test_html_long_base(void **state)
{
    size_t  i;
    html_t  h;

    (void) state;

    html_init(&h, 10000);
    feed(&h, "<base href='", 12);

    for (i = 0; i < MIQPS_HTML_HOLD + 1; i++) {
        feed(&h, "x", 1);
    }

    feed(&h, "'><a href='/p?u=1'>", 19);
    html_finish(&h);

    assert_int_equal(h.changed, 0);

    html_release(&h);
}


/* one that can be read, with a cut in its second half */

static void
test_html_cut_base(void **state)
{
    char    in[3000];
    html_t  h;

    (void) state;

    memset(in, 'x', sizeof(in));

    html_init(&h, 2 * sizeof(in));
    feed(&h, "<base href='", 12);
    feed(&h, in, 2600);
    feed_nothing(&h);
    feed(&h, in + 2600, 400);
    feed(&h, "'><a href='/p?u=1'>", 19);
    html_finish(&h);

    assert_int_equal(h.bases, 1);
    assert_int_equal(h.changed, 1);

    html_release(&h);
}


/* nothing is copied but the values that a chunk cuts */

static void
test_html_copies(void **state)
{
    html_t  h;

    (void) state;

    html_init(&h, 200);
    feed(&h, "<a href='/p?u=1' title='x'>x</a><p", 34);
    feed(&h, " class='x'>y<form method=get id='", 33);
    feed(&h, "z'><meta name=x content", 23);
    feed(&h, "><a title='", 11);
    feed(&h, "y' href='/pq", 12);
    feed(&h, "?u=1'>", 6);
    html_finish(&h);

    assert_int_equal(h.changed, 2);
    assert_int_equal(h.copied, 7);

    html_release(&h);
}


static void
test_html_deep(void **state)
{
    size_t  i;
    html_t  h;

    (void) state;

    html_init(&h, 1000);
    feed(&h, "<svg>", 5);

    for (i = 0; i < MIQPS_HTML_DEPTH; i++) {
        feed(&h, "<g>", 3);
    }

    feed(&h, "<a href='/p?u=1'><title></title><a href='/p?u=1'>", 49);
    html_finish(&h);

    assert_int_equal(h.changed, 1);

    html_release(&h);
}


static void
test_html_encode(void **state)
{
    uint8_t             out[64];
    size_t              len;
    miqps_str_t         url;
    miqps_html_piece_t  piece;

    (void) state;

    memset(&piece, 0, sizeof(piece));
    url = unit_str("/p?a&b\"'<>");

    assert_int_equal(miqps_html_encode(&piece, &url, out, sizeof(out), &len),
                     MIQPS_OK);
    unit_equal(out, len, "/p?a&amp;b&quot;&#39;&lt;&gt;");

    assert_int_equal(miqps_html_encode(&piece, &url, out, len - 1, &len),
                     MIQPS_NO_SPACE);

    piece.in = MIQPS_HTML_REFRESH;
    assert_int_equal(miqps_html_encode(&piece, &url, out, sizeof(out), &len),
                     MIQPS_SYNTAX);

    url = unit_str("/a b");
    assert_int_equal(miqps_html_encode(&piece, &url, out, sizeof(out), &len),
                     MIQPS_SYNTAX);

    url = unit_str(",/a");
    piece.in = MIQPS_HTML_SRCSET;
    assert_int_equal(miqps_html_encode(&piece, &url, out, sizeof(out), &len),
                     MIQPS_SYNTAX);
}


int
main(void)
{
    static unit_t  unit;

    unit_rows(&unit, test_html, html_rows);
    unit_add(&unit, "reads NULs as bytes of names", test_html_nul, NULL);
    unit_add(&unit, "leaves what is too long", test_html_long, NULL);
    unit_add(&unit, "tells the first base only", test_html_base, NULL);
    unit_add(&unit, "tells which links are canonical", test_html_canonical,
             NULL);
    unit_add(&unit, "leaves all after a base that is too long",
             test_html_long_base, NULL);
    unit_add(&unit, "reads a base that is long and cut", test_html_cut_base,
             NULL);
    unit_add(&unit, "copies values that are cut only", test_html_copies, NULL);
    unit_add(&unit, "is in doubt in the depth", test_html_deep, NULL);
    unit_add(&unit, "writes what can stand in a value only", test_html_encode,
             NULL);

    return unit_run(&unit, "html");
}
